/// The lines of a settings file: `key = value` below `[section]`, as in TOML, one a line. People write it on any
/// system, with any editor, and see no answer: everything that is unambiguous counts, and the rest is reported.
package struct SetupText: Sendable {
    /// One `key = value` line.
    package struct Entry: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// Empty: before all sections.
        package let section: String
        /// In lower case.
        package let key: String
        /// Without quotation marks and comment.
        package let value: String
        /// The place of its line in the file, without the line break.
        package let bytes: Range<Int>
    }

    /// The size limit of a file.
    package static let bytesMax = 64 * 1_024

    /// In the order of the lines.
    package private(set) var entries: [Entry] = []
    /// The numbers of lines that are neither blank, comment, section nor `key = value`.
    package private(set) var strays: [Int] = []

    /// - Throws: for a file that is no text.
    package init(_ file: [UInt8]) throws(SetupError) {
        guard file.count <= Self.bytesMax else { throw .tooLong }
        // Source: Unicode 15.0, 23.8: byte order marks.
        guard !file.starts(with: [0xFF, 0xFE]), !file.starts(with: [0xFE, 0xFF]), !file.contains(0) else {
            throw .notText
        }
        guard let text = String(validating: file, as: UTF8.self) else { throw .notText }
        let mark = text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var section = ""
        for (number, range) in Self.lines(file, from: mark).enumerated() {
            let line = Self.trimmed(String(decoding: file[range], as: UTF8.self))
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            if let name = Self.section(line) {
                section = name
            } else if let (key, value) = Self.pair(line) {
                entries.append(Entry(line: number + 1, section: section, key: key, value: value, bytes: range))
            } else {
                strays.append(number + 1)
            }
        }
    }

    /// The lines, between line breaks of any system.
    private static func lines(_ file: [UInt8], from start: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = [], begin = start
        for index in start..<file.count {
            if file[index] == 0x0A, index > start, file[index - 1] == 0x0D {
                begin = index + 1
            } else if file[index] == 0x0A || file[index] == 0x0D {
                lines.append(begin..<index)
                begin = index + 1
            }
        }
        return lines + [begin..<max(begin, file.count)]
    }

    private static func section(_ line: some StringProtocol) -> String? {
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]"), isEnd(line[line.index(after: end)...]) else {
            return nil
        }
        return trimmed(String(line[line.index(after: line.startIndex)..<end])).lowercased()
    }

    private static func pair(_ line: String) -> (key: String, value: String)? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let key = trimmed(String(line[..<equals])).lowercased()
        let rest = trimmed(String(line[line.index(after: equals)...]))
        let isKey = !key.isEmpty && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
        guard isKey, let value = value(rest) else { return nil }
        return (key, value)
    }

    private static func value(_ text: String) -> String? {
        switch text.first {
        case "\"": quoted(text.dropFirst())
        case "'": until("'", in: text.dropFirst())
        // A word processor's quotation marks.
        case "\u{201C}", "\u{201D}", "\u{201E}": until(where: { "\u{201C}\u{201D}".contains($0) }, in: text.dropFirst())
        case "\u{2018}", "\u{2019}": until("\u{2019}", in: text.dropFirst())
        default: trimmed(String(text.prefix(upTo: comment(in: text))))
        }
    }

    private static func until(_ end: Character, in text: Substring) -> String? { until(where: { $0 == end }, in: text) }

    private static func until(where isEnd: (Character) -> Bool, in text: Substring) -> String? {
        guard let end = text.firstIndex(where: isEnd), Self.isEnd(text[text.index(after: end)...]) else { return nil }
        return String(text[..<end])
    }

    /// Source: TOML 1.0.0, basic strings.
    private static func quoted(_ text: Substring) -> String? {
        var rest = text, value = ""
        while let letter = rest.popFirst() {
            if letter == "\"" { return isEnd(rest) ? value : nil }
            guard letter == "\\" else {
                value.append(letter)
                continue
            }
            switch rest.popFirst() {
            case "\"": value.append("\"")
            case "\\": value.append("\\")
            case "t": value.append("\t")
            case "u": guard append(escaped: 4, &rest, to: &value) else { return nil }
            case "U": guard append(escaped: 8, &rest, to: &value) else { return nil }
            default: return nil
            }
        }
        return nil
    }

    private static func append(escaped digits: Int, _ rest: inout Substring, to value: inout String) -> Bool {
        let hex = rest.prefix(digits)
        guard hex.count == digits, hex.allSatisfy(\.isHexDigit), let number = UInt32(hex, radix: 16),
            let scalar = Unicode.Scalar(number)
        else { return false }
        rest = rest.dropFirst(digits)
        value.unicodeScalars.append(scalar)
        return true
    }

    /// Where a value without quotation marks ends.
    private static func comment(in text: String) -> String.Index {
        var previous: Character = " "
        for index in text.indices {
            if text[index] == "#", previous.isWhitespace { return index }
            previous = text[index]
        }
        return text.endIndex
    }

    /// Whether nothing but a comment follows.
    private static func isEnd(_ rest: some StringProtocol) -> Bool {
        let rest = trimmed(String(rest))
        return rest.isEmpty || rest.hasPrefix("#")
    }

    private static func trimmed(_ text: String) -> String {
        let kept = text.drop { $0.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }
}
