/// Blanks out what is no code: comments and the text of strings (what is interpolated stays). Newlines stay too.
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

    static func code(in text: String) -> String {
        var scanner = CodeScanner(input: Array(text.utf8))
        while scanner.position < scanner.input.count { scanner.step() }
        return String(decoding: scanner.output, as: UTF8.self)
    }

    private init(input: [UInt8]) { self.input = input }

    private mutating func step() {
        switch modes[modes.count - 1] {
        case .code(let parentheses): stepCode(parentheses: parentheses)
        case .lineComment:
            if input[position] == UInt8(ascii: "\n") { modes.removeLast() }
            blank(1)
        case .blockComment(let depth): stepBlockComment(depth: depth)
        case .string(let quotes, let hashes): stepString(quotes: quotes, hashes: hashes)
        }
    }

    private mutating func stepCode(parentheses: Int) {
        if starts("//") { return enter(.lineComment, blanking: 2) }
        if starts("/*") { return enter(.blockComment(depth: 1), blanking: 2) }
        let hashes = input[position...].prefix { $0 == UInt8(ascii: "#") }.count
        if input.dropFirst(position + hashes).first == UInt8(ascii: "\"") {
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

    private func hasHashes(_ count: Int, at index: Int) -> Bool {
        input.dropFirst(index).prefix(count).count { $0 == UInt8(ascii: "#") } == count
    }

    private func starts(_ text: String, at index: Int? = nil) -> Bool {
        input.dropFirst(index ?? position).starts(with: text.utf8)
    }

    /// One space for each byte, so that lines and columns stay.
    private mutating func blank(_ count: Int) {
        for byte in input[position..<min(position + count, input.count)] {
            output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
        position = min(position + count, input.count)
    }
}
