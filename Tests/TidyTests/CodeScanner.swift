/// Blanks out what is no code: comments, the text of strings (what is interpolated stays) and patterns between slashes.
/// Newlines stay too.
struct CodeScanner {
    private enum Mode {
        /// `parentheses` counts the open ones since the start of an interpolation.
        case code(parentheses: Int)
        case lineComment
        case blockComment(depth: Int)
        case string(quotes: Int, hashes: Int)
    }

    private let input: [UInt8]
    private var position = 0
    private var modes: [Mode] = [.code(parentheses: 0)]
    private var output: [UInt8] = []

    /// - Returns: as many bytes as the text has.
    static func code(in text: [UInt8]) -> [UInt8] {
        var scanner = CodeScanner(input: text)
        while scanner.position < scanner.input.count { scanner.step() }
        return scanner.output
    }

    private init(input: [UInt8]) {
        self.input = input
        output.reserveCapacity(input.count)
    }

    private mutating func step() {
        switch modes[modes.count - 1] {
        case .code(let parentheses): stepCode(parentheses: parentheses)
        case .lineComment:
            var end = position
            while end < input.count, input[end] != UInt8(ascii: "\n") { end += 1 }
            modes.removeLast()
            blank(end - position)
        case .blockComment(let depth): stepBlockComment(depth: depth)
        case .string(let quotes, let hashes): stepString(quotes: quotes, hashes: hashes)
        }
    }

    private mutating func stepCode(parentheses: Int) {
        // Nearly all bytes are of no interest: a test of each by itself is what makes a debug build quick.
        while position < input.count, !Self.isSpecial(input[position]) {
            output.append(input[position])
            position += 1
        }
        guard position < input.count else { return }
        if starts("//") { return enter(.lineComment, blanking: 2) }
        if starts("/*") { return enter(.blockComment(depth: 1), blanking: 2) }
        if let end = endOfPattern() { return blank(end - position) }
        var hashes = 0
        while byte(at: position + hashes) == UInt8(ascii: "#") { hashes += 1 }
        if byte(at: position + hashes) == UInt8(ascii: "\"") {
            let quotes = starts("\"\"\"", at: position + hashes) ? 3 : 1
            return enter(.string(quotes: quotes, hashes: hashes), blanking: hashes + quotes)
        }
        if parentheses > 0, input[position] == UInt8(ascii: "(") { setParentheses(parentheses + 1) }
        if parentheses > 0, input[position] == UInt8(ascii: ")") {
            if parentheses == 1 {
                modes.removeLast()
            } else {
                setParentheses(parentheses - 1)
            }
        }
        output.append(input[position])
        position += 1
    }

    /// Nil where no pattern begins. A pattern follows an opening bracket or a mark that is no operand; a division has
    /// spaces on both sides, or none.
    private func endOfPattern() -> Int? {
        guard input[position] == UInt8(ascii: "/"), byte(at: position + 1) > UInt8(ascii: " ") else { return nil }
        guard let before = output.last(where: { $0 > UInt8(ascii: " ") }), Self.patternsFollow.contains(before) else {
            return nil
        }
        var end = position + 1
        while end < input.count, input[end] != UInt8(ascii: "\n") {
            if input[end] == UInt8(ascii: "/") { return end + 1 }
            end += input[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static let patternsFollow = Set("([{,:;=?!&|".utf8)

    private mutating func stepBlockComment(depth: Int) {
        if starts("/*") {
            modes[modes.count - 1] = .blockComment(depth: depth + 1)
            blank(2)
        } else if starts("*/") {
            modes.removeLast()
            if depth > 1 { modes.append(.blockComment(depth: depth - 1)) }
            blank(2)
        } else {
            blank(1)
        }
    }

    private mutating func stepString(quotes: Int, hashes: Int) {
        let isEscape = input[position] == UInt8(ascii: "\\") && hasHashes(hashes, at: position + 1)
        if isEscape, starts("(", at: position + 1 + hashes) {
            enter(.code(parentheses: 1), blanking: 1 + hashes)
            output.append(UInt8(ascii: "("))
            position += 1
        } else if isEscape {
            blank(1 + hashes + 1)
        } else if starts(quotes == 3 ? "\"\"\"" : "\""), hasHashes(hashes, at: position + quotes) {
            modes.removeLast()
            blank(quotes + hashes)
        } else {
            if quotes == 1, input[position] == UInt8(ascii: "\n") { modes.removeLast() }
            blank(1)
        }
    }

    private mutating func setParentheses(_ count: Int) { modes[modes.count - 1] = .code(parentheses: count) }

    private mutating func enter(_ mode: Mode, blanking count: Int) {
        modes.append(mode)
        blank(count)
    }

    /// What may begin a comment or a string, and the brackets of an interpolation.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"): true
        default: false
        }
    }

    /// 0 after the end.
    private func byte(at index: Int) -> UInt8 { index < input.count ? input[index] : 0 }

    private func hasHashes(_ count: Int, at index: Int) -> Bool {
        for offset in 0..<count where byte(at: index + offset) != UInt8(ascii: "#") { return false }
        return true
    }

    private func starts(_ text: StaticString, at index: Int? = nil) -> Bool {
        let start = index ?? position
        for offset in 0..<text.utf8CodeUnitCount where byte(at: start + offset) != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// One space for each byte, so that lines and columns stay.
    private mutating func blank(_ count: Int) {
        let end = min(position + count, input.count)
        while position < end {
            output.append(input[position] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
            position += 1
        }
    }
}
