/// One word or mark of Swift code.
struct Token {
    enum Kind { case word, mark, arrow, number }

    var kind: Kind
    /// A word without its backticks; empty for all else.
    var text = ""
    /// Nil for a word in backticks or after a dot: there it is a name.
    var keyword: Keyword?
    /// The byte of a mark, else 0.
    var mark: UInt8 = 0
    /// From 1.
    var line: Int
    var startsLine: Bool
    var followsSpace: Bool

    func isMark(_ mark: Unicode.Scalar) -> Bool { self.mark == UInt8(ascii: mark) }
}

/// The words of Swift that say where a declaration begins and of what kind it is.
enum Keyword: String, CaseIterable {
    case `struct`, `class`, `enum`, actor, `protocol`, `extension`, `typealias`, `associatedtype`
    case `let`, `var`, `func`, `init`, `deinit`, `subscript`, `case`, `import`
    case `static`, `private`, `fileprivate`
    case `where`, `in`, `for`
    /// Any other word that may stand before a declaration.
    case modifier

    static let all: [String: Keyword] = {
        var all = Dictionary(uniqueKeysWithValues: Keyword.allCases.map { ($0.rawValue, $0) })
        all["modifier"] = nil
        let modifiers = """
            borrowing consuming convenience dynamic final indirect infix internal isolated lazy macro mutating \
            nonisolated nonmutating open operator optional override package postfix prefix public required unowned weak
            """
        for word in modifiers.split(separator: " ") { all[String(word)] = .modifier }
        return all
    }()

    var declaresType: Bool { [.struct, .class, .enum, .actor, .protocol].contains(self) }
    var startsDeclaration: Bool { ![.where, .in, .for].contains(self) }
}

/// Cuts code into tokens. Of `#if` and `#elseif` the condition is left out: all branches are read as if all were built.
struct Tokeniser {
    private enum ByteClass { case space, newline, letter, digit, mark }

    private static let classes: [ByteClass] = (0...255).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "\n"): .newline
        case 0...32: .space
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 128...: .letter
        case UInt8(ascii: "_"), UInt8(ascii: "$"): .letter
        default: .mark
        }
    }

    private let classes = Self.classes
    private let keywords = Keyword.all
    private let code: [UInt8]
    private var position = 0
    private var line = 1
    private var startsLine = true
    private var followsSpace = true
    private var tokens: [Token] = []

    /// - Parameter code: what `CodeScanner` left of a file.
    static func tokens(in code: [UInt8]) -> [Token] {
        var tokeniser = Tokeniser(code: code)
        while tokeniser.position < code.count { tokeniser.step() }
        return tokeniser.tokens
    }

    private init(code: [UInt8]) { self.code = code }

    private mutating func step() {
        let byte = code[position]
        switch classes[Int(byte)] {
        case .newline:
            line += 1
            startsLine = true
            followsSpace = true
            position += 1
        case .space:
            followsSpace = true
            position += 1
        case .letter:
            let text = word()
            let isMember = tokens.last?.isMark(".") ?? false
            append(.word, text: text, keyword: isMember ? nil : keywords[text])
        case .digit:
            _ = word()
            append(.number)
        case .mark: stepMark(byte)
        }
    }

    private mutating func stepMark(_ byte: UInt8) {
        position += 1
        switch byte {
        case UInt8(ascii: "`"):
            append(.word, text: word())
            if position < code.count, code[position] == UInt8(ascii: "`") { position += 1 }
        case UInt8(ascii: "-") where position < code.count && code[position] == UInt8(ascii: ">"):
            position += 1
            append(.arrow)
        case UInt8(ascii: "#"):
            append(.mark, mark: byte)
            if ["if", "elseif"].contains(word()) { skipLine() }
        default: append(.mark, mark: byte)
        }
    }

    private mutating func word() -> String {
        let start = position
        while position < code.count {
            let kind = classes[Int(code[position])]
            guard kind == .letter || kind == .digit else { break }
            position += 1
        }
        return String(decoding: code[start..<position], as: UTF8.self)
    }

    private mutating func skipLine() {
        while position < code.count, code[position] != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func append(_ kind: Token.Kind, text: String = "", keyword: Keyword? = nil, mark: UInt8 = 0) {
        tokens.append(
            Token(
                kind: kind, text: text, keyword: keyword, mark: mark, line: line, startsLine: startsLine,
                followsSpace: followsSpace))
        startsLine = false
        followsSpace = false
    }
}
