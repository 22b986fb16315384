/// Finds bodies of functions, initialisers, subscripts and computed properties by counting braces.
struct FunctionScanner {
    struct Body: Equatable {
        /// The line of the declaration, from 1.
        var line: Int
        /// Lines between the braces.
        var length: Int
    }

    private let code: [Character]
    private var position = 0
    private var line = 1

    /// - Parameter lines: code without comments and strings.
    static func bodies(in lines: [String]) -> [Body] {
        lines.enumerated().compactMap { index, line in
            let function = line.contains(/(^|[^.\w`])(func|init|deinit|subscript)\b/)
            let property = line.contains(/\bvar\b[^=]*\{\s*$/)
            guard function || property, let length = Self.bodyLength(lines[index...]) else { return nil }
            return Body(line: index + 1, length: length)
        }
    }

    private static func bodyLength(_ lines: ArraySlice<String>) -> Int? {
        var scanner = FunctionScanner(lines)
        return scanner.bodyLength()
    }

    private init(_ lines: ArraySlice<String>) {
        // A body is far shorter than this unless it is a violation anyway.
        code = Array(lines.prefix(1_000).joined(separator: "\n"))
    }

    /// Nil when the declaration has no body, as in a protocol.
    private mutating func bodyLength() -> Int? {
        guard findBody() else { return nil }
        let start = line
        var depth = 0
        while position < code.count {
            switch code[position] {
            case "{": depth += 1
            case "}":
                depth -= 1
                if depth == 0 { return max(0, line - start - 1) }
            case "\n": line += 1
            default: break
            }
            position += 1
        }
        return line - start
    }

    /// Moves to the brace that opens the body.
    private mutating func findBody() -> Bool {
        var depth = 0
        while position < code.count {
            switch code[position] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return true
            case "}" where depth == 0: return false
            case "\n":
                line += 1
                if depth == 0, !declarationGoesOn() { return false }
            default: break
            }
            position += 1
        }
        return false
    }

    private func declarationGoesOn() -> Bool {
        let rest = String(code[position...].drop { $0.isWhitespace }.prefix(9))
        return ["{", "->", "where", "throws", "rethrows", "async", ")"].contains { rest.hasPrefix($0) }
    }
}
