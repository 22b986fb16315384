import Glibc

/// Blanks out what is no code: comments, the text of strings (what is interpolated stays) and patterns between slashes.
/// Newlines stay too.
///
/// The C library finds the next byte of interest, and all others are copied at once: a debug build would take seconds
/// to look at each of them.
struct CodeScanner {
    private enum Mode {
        /// `parentheses` counts the open ones since the start of an interpolation.
        case code(parentheses: Int)
        case blockComment(depth: Int)
        case string(quotes: Int, hashes: Int)
    }

    /// With a zero behind it.
    private let input: [UInt8]
    private var output: [UInt8]
    private var position = 0
    private var modes: [Mode] = [.code(parentheses: 0)]

    /// - Returns: as many bytes as the text has.
    static func code(in text: [UInt8]) -> [UInt8] {
        var scanner = CodeScanner(text)
        while scanner.position < text.count { scanner.step() }
        return scanner.output
    }

    private init(_ text: [UInt8]) {
        input = text + [0]
        output = text
    }

    private mutating func step() {
        switch modes[modes.count - 1] {
        case .code(let parentheses): stepCode(parentheses: parentheses)
        case .blockComment(let depth): stepBlockComment(depth: depth)
        case .string(let quotes, let hashes): stepString(quotes: quotes, hashes: hashes)
        }
    }

    private mutating func stepCode(parentheses: Int) {
        position += distance(to: parentheses > 0 ? "/#\"()" : "/#\"")
        if starts("//") { return blank(distance(to: "\n")) }
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
        position += 1
    }

    /// Nil where no pattern begins. A pattern follows an opening bracket or a mark that is no operand; a division has
    /// spaces on both sides, or none.
    private func endOfPattern() -> Int? {
        guard input[position] == UInt8(ascii: "/"), byte(at: position + 1) > UInt8(ascii: " ") else { return nil }
        guard let before = output[..<position].last(where: { $0 > UInt8(ascii: " ") }),
            Self.patternsFollow.contains(before)
        else { return nil }
        var end = position + 1
        while end < output.count, input[end] != UInt8(ascii: "\n") {
            if input[end] == UInt8(ascii: "/") { return end + 1 }
            end += input[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static let patternsFollow = Set("([{,:;=?!&|".utf8)

    private mutating func stepBlockComment(depth: Int) {
        blank(distance(to: "/*"))
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
        blank(distance(to: "\\\"\n"))
        let isEscape = input[position] == UInt8(ascii: "\\") && hasHashes(hashes, at: position + 1)
        if isEscape, starts("(", at: position + 1 + hashes) {
            enter(.code(parentheses: 1), blanking: 1 + hashes)
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

    /// How many bytes there are before the next one of these marks, or before the end.
    private func distance(to marks: String) -> Int {
        input.withUnsafeBytes { bytes in
            strcspn(bytes.baseAddress!.advanced(by: position).assumingMemoryBound(to: CChar.self), marks)
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
        let end = min(position + count, output.count)
        while position < end {
            let stop = min(position + distance(to: "\n"), end)
            if stop > position {
                output.withUnsafeMutableBytes { _ = memset($0.baseAddress! + position, 32, stop - position) }
            }
            position = stop < end ? stop + 1 : end
        }
    }
}
