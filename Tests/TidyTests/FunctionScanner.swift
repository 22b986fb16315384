/// Finds bodies of functions, initialisers, subscripts and computed properties by counting braces.
struct FunctionScanner {
    struct Body: Equatable {
        /// The line of the declaration, from 1.
        var line: Int
        /// Lines between the braces.
        var length: Int
    }

    private let code: [UInt8]
    private var position: Int
    private var line = 1

    /// - Parameter lines: code without comments and strings.
    static func bodies(in lines: [String]) -> [Body] {
        let code = Array(lines.joined(separator: "\n").utf8)
        var start = 0
        return lines.enumerated().compactMap { index, line in
            defer { start += line.utf8.count + 1 }
            guard declaresBody(line) else { return nil }
            var scanner = FunctionScanner(code: code, position: start)
            return scanner.bodyLength().map { Body(line: index + 1, length: $0) }
        }
    }

    private static func declaresBody(_ line: String) -> Bool {
        // Most lines have none of these words: to look for the words is quicker than to match the patterns.
        if ["func", "init", "subscript"].contains(where: line.contains),
            line.contains(/(^|[^.\w`])(func|init|deinit|subscript)\b/)
        {
            return true
        }
        return line.contains("var") && line.contains(/\bvar\b[^=]*\{\s*$/)
    }

    private init(code: [UInt8], position: Int) {
        self.code = code
        self.position = position
    }

    /// Nil when the declaration has no body, as in a protocol.
    private mutating func bodyLength() -> Int? {
        guard findBody() else { return nil }
        let start = line
        var depth = 0
        while position < code.count {
            switch code[position] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return max(0, line - start - 1) }
            case UInt8(ascii: "\n"): line += 1
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
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "{") where depth == 0: return true
            case UInt8(ascii: "}") where depth == 0: return false
            case UInt8(ascii: "\n"):
                line += 1
                if depth == 0, !declarationGoesOn() { return false }
            default: break
            }
            position += 1
        }
        return false
    }

    private func declarationGoesOn() -> Bool {
        let rest = code[position...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        return ["{", "->", "where", "throws", "rethrows", "async", ")"].contains { rest.starts(with: $0.utf8) }
    }
}
