/// Reads what one `let` or `var` of a type declares.
struct PropertyReader {
    struct Property: Equatable {
        /// Several of a tuple, which is one property.
        var names: [String]
        var isStored: Bool
    }

    private let tokens: [Token]
    private var index: Int
    private var properties: [Property] = []

    /// - Parameter index: of the token after `let` or `var`.
    static func properties(in tokens: [Token], at index: Int) -> [Property] {
        var reader = PropertyReader(tokens: tokens, index: index)
        while reader.readOne() {}
        return reader.properties
    }

    private init(tokens: [Token], index: Int) {
        self.tokens = tokens
        self.index = index
    }

    /// - Returns: whether a comma follows, and with it another property.
    private mutating func readOne() -> Bool {
        let names = pattern()
        guard !names.isEmpty else { return false }
        var isStored = true
        if isAt(":") {
            index += 1
            skip(isType: true)
        }
        if isAt("=") {
            index += 1
            skip(isType: false)
        } else if isAt("{") {
            isStored = bodyObserves()
            skip(isType: false)
        }
        properties.append(Property(names: names, isStored: isStored))
        guard isAt(",") else { return false }
        index += 1
        return true
    }

    private mutating func pattern() -> [String] {
        guard index < tokens.count else { return [] }
        guard isAt("(") else {
            guard tokens[index].kind == .word else { return [] }
            index += 1
            return [tokens[index - 1].text]
        }
        let start = index + 1
        index += 1
        skip(isType: false, past: true)
        return tokens[start..<index].filter { $0.kind == .word }.map(\.text)
    }

    private func isAt(_ mark: Unicode.Scalar) -> Bool { index < tokens.count && tokens[index].isMark(mark) }

    /// Whether the body at `index` begins with `didSet` or `willSet`, and so belongs to a stored property.
    private func bodyObserves() -> Bool {
        guard index + 1 < tokens.count else { return false }
        return ["didSet", "willSet"].contains(tokens[index + 1].text)
    }

    /// Moves to the end of a type or an expression: a comma, the end of what is around it, or a line that begins with
    /// another declaration; for a type also to its value or body.
    ///
    /// - Parameter past: whether the commas belong to it and the bracket that ends it is passed.
    private mutating func skip(isType: Bool, past: Bool = false) {
        var depth = 0
        var angles = 0
        while index < tokens.count {
            let token = tokens[index]
            if depth == 0 {
                if token.startsLine, token.keyword?.startsDeclaration ?? (token.isMark("@") || token.isMark("#")) {
                    return
                }
                if !past, angles == 0, token.isMark(",") || token.isMark(";") { return }
                if isType, angles == 0, token.isMark("=") || token.isMark("{") { return }
            }
            switch token.mark {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 {
                    if past { index += 1 }
                    return
                }
                depth -= 1
            // An operator has spaces on both sides; the bracket of type arguments has none before it.
            case UInt8(ascii: "<") where depth == 0 && index > 0 && !token.followsSpace:
                if tokens[index - 1].kind == .word { angles += 1 }
            case UInt8(ascii: ">") where depth == 0 && angles > 0 && !token.followsSpace: angles -= 1
            default: break
            }
            index += 1
        }
    }
}
