/// Reads one file: which parts of types stand in it, what it declares, and which names it uses.
///
/// It knows brackets and the words that begin a declaration, no more, and takes any text. All branches of `#if` are
/// read as if all were built. A type inside a function belongs to the type around it.
struct TypeScanner {
    /// One declaration of a type, or one extension.
    struct Part: Equatable {
        /// With the names of the types around it: `Outer.Inner`.
        var name: String
        var isExtension: Bool
        /// Whether no other file can name it.
        var isPrivate: Bool
        var firstLine: Int
        /// Lines from the declaring word to the closing brace, without those of the types inside.
        var lines = 0
        var properties = 0
    }

    /// What a file says to the rule about folders (see `FolderGraph`).
    struct Names: Equatable {
        /// Types and aliases that other files can name; one inside another type as `Outer.Inner`, with no more than two
        /// names.
        var types: Set<String> = []
        /// Members of types, and functions and values outside of types, that other files can name.
        var members: Set<String> = []
        /// Those of `members` that stand in an extension of a type that another file declares, as `Type.member`.
        var extensionMembers: Set<String> = []
        /// What a function, closure or private declaration in this file gives a name to.
        var bound: Set<String> = []
        /// Words that follow no dot, or one after `self` or `Self`, by the type around them (`Outer.Inner`, or empty).
        var bare: [String: Set<String>] = [:]
        /// Words that follow another dot.
        var dotted: Set<String> = []
        /// A word, a dot, and one of `dotted`.
        var pairs: Set<String> = []
    }

    private enum Scope {
        case type(Int)
        case braces
        case brackets
        /// Of a function's declaration.
        case parameters
    }

    private let tokens: [Token]
    private var index = 0
    private var scopes: [Scope] = []
    private var openLines: [Int: Int] = [:]
    /// The part whose brace is still to come.
    private var announced: Int?
    private var isStatic = false
    private var isHidden = false
    private var expectsParameters = false
    /// Extensions that are themselves private, with all that is in them.
    private var hiddenParts: Set<Int> = []
    private var protocols: Set<Int> = []
    private var extensionMembers: [(name: String, part: Int)] = []
    private(set) var parts: [Part] = []
    /// Whether every bracket has its counterpart. If not, this file holds something that is not understood here.
    private(set) var isBalanced = true
    private(set) var names = Names()

    /// - Parameter code: what `CodeScanner` left of the file.
    init(code: [UInt8]) {
        tokens = Tokeniser.tokens(in: code)
        while index < tokens.count {
            step(tokens[index])
            index += 1
        }
        if !scopes.isEmpty { isBalanced = false }
        while !scopes.isEmpty { closeScope(at: tokens.last?.line ?? 1) }
        let declared = Set(parts.filter { !$0.isExtension }.map(\.name))
        for (name, part) in extensionMembers where !declared.contains(parts[part].name) {
            names.extensionMembers.insert("\(Self.lastName(of: parts[part].name)).\(name)")
        }
    }

    private static func lastName(of path: String) -> String { path.split(separator: ".").last.map(String.init) ?? path }

    private mutating func step(_ token: Token) {
        switch token.mark {
        case 0: if token.kind == .word { stepWord(token) }
        case UInt8(ascii: "{"):
            bindClosureParameters()
            scopes.append(announced.map(Scope.type) ?? .braces)
            announced = nil
        case UInt8(ascii: "("), UInt8(ascii: "["):
            scopes.append(expectsParameters && token.isMark("(") ? .parameters : .brackets)
            expectsParameters = false
        case UInt8(ascii: ")"), UInt8(ascii: "]"):
            switch scopes.last {
            case .brackets, .parameters: scopes.removeLast()
            default: isBalanced = false
            }
        case UInt8(ascii: "}"):
            var isBrace = false
            while !isBrace, let scope = scopes.last {
                switch scope {
                case .type, .braces: isBrace = true
                case .brackets, .parameters: isBalanced = false
                }
                closeScope(at: token.line)
            }
            if !isBrace { isBalanced = false }
        default: break
        }
    }

    private mutating func closeScope(at line: Int) {
        guard case .type(let part) = scopes.removeLast() else { return }
        let all = line - parts[part].firstLine + 1
        parts[part].lines = max(0, all - openLines[part, default: 0])
        if let outer = innermostType { openLines[outer, default: 0] += all }
    }

    private var innermostType: Int? {
        for case .type(let part) in scopes.reversed() { return part }
        return nil
    }

    /// Whether a declaration here is one of a type or of the file, not of a function.
    private var isMemberLevel: Bool {
        guard let last = scopes.last else { return true }
        if case .type = last { return true }
        return false
    }

    private func token(at index: Int) -> Token? { tokens.indices.contains(index) ? tokens[index] : nil }
}

extension TypeScanner {
    private mutating func stepWord(_ token: Token) {
        switch token.keyword {
        case .private, .fileprivate: if isMemberLevel, !isSetterOnly { isHidden = true }
        case .static: isStatic = true
        case .class where self.token(at: index + 1)?.keyword != nil: isStatic = true
        case .struct, .class, .enum, .actor, .protocol: openType(token)
        case .extension: openExtension(token)
        case .typealias: if let name = nextWord { declare(type: name.text) }
        case .let, .var: declareProperties()
        case .func:
            if let name = nextWord { declare(member: name.text) }
            endModifiers()
            expectsParameters = true
        case .`init`, .subscript:
            endModifiers()
            expectsParameters = true
        case .case: declareCases()
        case .deinit, .associatedtype, .import: endModifiers()
        case .for: bind(from: index + 1) { $0.keyword == .in }
        case .where, .in: break
        case .modifier, nil: use(token)
        }
    }

    private var nextWord: Token? {
        guard let next = self.token(at: index + 1), next.kind == .word else { return nil }
        return next
    }

    /// `private(set)`.
    private var isSetterOnly: Bool {
        self.token(at: index + 1)?.isMark("(") ?? false && self.token(at: index + 2)?.text == "set"
    }

    private mutating func endModifiers() {
        isStatic = false
        isHidden = false
    }

    private mutating func openType(_ keyword: Token) {
        guard let name = nextWord, name.keyword == nil || name.keyword == .modifier, keyword.line == name.line,
            self.token(at: index - 1)?.keyword != .import, let next = self.token(at: index + 2),
            next.isMark("{") || next.isMark(":") || next.isMark("<") || next.keyword == .where
        else { return use(keyword) }
        let outer = innermostType
        let isPrivate =
            isHidden || !isMemberLevel || outer.map { parts[$0].isPrivate || hiddenParts.contains($0) } ?? false
        if isPrivate { names.bound.insert(name.text) } else { names.types.insert(typeKey(name.text)) }
        if keyword.keyword == .protocol { protocols.insert(parts.count) }
        open(
            Part(
                name: (outer.map { parts[$0].name + "." } ?? "") + name.text, isExtension: false,
                isPrivate: isPrivate, firstLine: keyword.line))
    }

    private mutating func openExtension(_ keyword: Token) {
        var path: [String] = []
        var next = index + 1
        while let word = token(at: next), word.kind == .word {
            path.append(word.text)
            names.bare["", default: []].insert(word.text)
            guard token(at: next + 1)?.isMark(".") ?? false else { break }
            next += 2
        }
        if isHidden { hiddenParts.insert(parts.count) }
        // An extension of `[Element]` names no word.
        let name = path.isEmpty ? "Array" : path.joined(separator: ".")
        open(Part(name: name, isExtension: true, isPrivate: false, firstLine: keyword.line))
    }

    private func typeKey(_ name: String) -> String {
        innermostType.map { "\(Self.lastName(of: parts[$0].name)).\(name)" } ?? name
    }

    private mutating func open(_ part: Part) {
        announced = parts.count
        parts.append(part)
        endModifiers()
    }

    private mutating func declareProperties() {
        guard isMemberLevel else { return bindPattern() }
        let properties = PropertyReader.properties(in: tokens, at: index + 1)
        for name in properties.flatMap(\.names) { declare(member: name) }
        if case .type(let part) = scopes.last, !isStatic, !protocols.contains(part) {
            parts[part].properties += properties.count(where: \.isStored)
        }
        endModifiers()
    }

    /// What `let` or `var` in a function gives a name to: one word, or those of a tuple or of a case.
    private mutating func bindPattern() {
        if let name = nextWord { names.bound.insert(name.text) }
        guard let next = self.token(at: index + 1), next.isMark("(") || next.isMark(".") else { return }
        bind(from: index + 2) { $0.isMark(")") || $0.isMark("{") }
    }

    private mutating func bind(from start: Int, to isEnd: (Token) -> Bool) {
        for token in tokens[min(start, tokens.count)...].prefix(40) {
            if isEnd(token) { return }
            if token.kind == .word { names.bound.insert(token.text) }
        }
    }

    private mutating func declareCases() {
        guard case .type = scopes.last else { return }
        endModifiers()
        var depth = 0
        var next = index + 1
        while let word = token(at: next), !(word.startsLine && depth == 0) {
            if depth == 0, word.kind == .word {
                let before = tokens[next - 1]
                if before.keyword == .case || before.isMark(",") { declare(member: word.text) }
            }
            if word.isMark("(") { depth += 1 }
            if word.isMark(")") { depth -= 1 }
            if depth < 0 || word.isMark("}") { return }
            next += 1
        }
    }

    private mutating func declare(type name: String) {
        if isMemberLevel, !isHiddenHere {
            names.types.insert(typeKey(name))
        } else {
            names.bound.insert(name)
        }
        endModifiers()
    }

    private mutating func declare(member name: String) {
        guard isMemberLevel, !isHiddenHere else {
            names.bound.insert(name)
            return
        }
        names.members.insert(name)
        if case .type(let part) = scopes.last, parts[part].isExtension { extensionMembers.append((name, part)) }
    }

    private var isHiddenHere: Bool {
        guard !isHidden else { return true }
        guard case .type(let part) = scopes.last else { return false }
        return parts[part].isPrivate || hiddenParts.contains(part)
    }
}

extension TypeScanner {
    private mutating func use(_ word: Token) {
        if case .parameters = scopes.last, self.token(at: index + 1)?.isMark(":") ?? false {
            names.bound.insert(word.text)
            return
        }
        if case .parameters = scopes.last, self.token(at: index + 1)?.kind == .word { return }
        // The label of an argument names nothing of this module's.
        if case .brackets = scopes.last, self.token(at: index + 1)?.isMark(":") ?? false,
            let before = self.token(at: index - 1), before.isMark("(") || before.isMark(",")
        {
            return
        }
        let before = self.token(at: index - 2)
        guard self.token(at: index - 1)?.isMark(".") ?? false, !["self", "Self"].contains(before?.text) else {
            names.bare[innermostType.map { parts[$0].name } ?? "", default: []].insert(word.text)
            return
        }
        names.dotted.insert(word.text)
        if let before, before.kind == .word { names.pairs.insert("\(before.text).\(word.text)") }
    }

    /// The names between an opening brace and `in`.
    private mutating func bindClosureParameters() {
        var found: [String] = []
        for token in tokens[min(index + 1, tokens.count)...].prefix(40) {
            if token.keyword == .in { return names.bound.formUnion(found) }
            guard token.keyword == nil, !token.isMark("{"), !token.isMark("}"), !token.isMark("=") else { return }
            if token.kind == .word { found.append(token.text) }
        }
    }
}
