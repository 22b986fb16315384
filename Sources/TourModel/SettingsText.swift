/// The lines of a settings file: `key = value` below `[section]`, as in TOML, one a line. People write it on any
/// system, with any editor: everything that is unambiguous counts, and the rest is reported. Programs that are stricter
/// look at the form of each value.
package struct SettingsText: Sendable {
    /// How a value was written.
    package enum Form: Hashable, Sendable {
        /// Between quotation marks.
        case quoted
        /// Without them: a number, `true`, or a word.
        case bare
        /// `["a", "b"]`, in one line, with each text between quotation marks.
        case list([String])
    }

    /// Why a file is refused as a whole.
    package enum Fault: Error, Hashable {
        /// Larger than `bytesMax`.
        case tooLong
        /// Not UTF-8.
        case notText
    }

    /// One `key = value` line.
    package struct Entry: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// Empty: before all sections.
        package let section: String
        /// In lower case.
        package let key: String
        /// Without quotation marks and comment; a list as it is written.
        package let value: String
        package let form: Form
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
    package init(_ file: [UInt8]) throws(Fault) {
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
            } else if let (key, value, form) = Self.pair(line) {
                entries.append(
                    Entry(line: number + 1, section: section, key: key, value: value, form: form, bytes: range))
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

    private static func pair(_ line: String) -> (key: String, value: String, form: Form)? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let key = trimmed(String(line[..<equals])).lowercased()
        let rest = trimmed(String(line[line.index(after: equals)...]))
        let isKey = !key.isEmpty && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
        guard isKey, let (value, form) = value(rest) else { return nil }
        return (key, value, form)
    }

    private static func value(_ text: String) -> (value: String, form: Form)? {
        var rest = text[...]
        guard isQuotationMark(text.first) else {
            let bare = trimmed(String(text.prefix(upTo: comment(in: text))))
            return (bare, list(text).map { .list($0) } ?? .bare)
        }
        guard let value = quoted(&rest), isEnd(rest) else { return nil }
        return (value, .quoted)
    }

    private static func isQuotationMark(_ letter: Character?) -> Bool {
        letter.map { "\"'\u{201C}\u{201D}\u{201E}\u{2018}\u{2019}".contains($0) } ?? false
    }

    /// The texts of a list, which may have a comma behind the last one; nil for what is none.
    private static func list(_ text: String) -> [String]? {
        guard text.hasPrefix("[") else { return nil }
        var rest = text.dropFirst(), values: [String] = []
        while true {
            rest = rest.drop { $0.isWhitespace }
            if rest.first == "]" { return isEnd(rest.dropFirst()) ? values : nil }
            guard isQuotationMark(rest.first), let value = quoted(&rest) else { return nil }
            values.append(value)
            rest = rest.drop { $0.isWhitespace }
            if rest.first == "," { rest.removeFirst() } else if rest.first != "]" { return nil }
        }
    }

    /// Takes a text between quotation marks, which may be a word processor's, from the beginning of `rest`.
    private static func quoted(_ rest: inout Substring) -> String? {
        switch rest.popFirst() {
        case "\"": basic(&rest)
        case "'": until("'", &rest)
        case "\u{201C}", "\u{201D}", "\u{201E}": until("\u{201C}\u{201D}", &rest)
        default: until("\u{2019}", &rest)
        }
    }

    private static func until(_ ends: String, _ rest: inout Substring) -> String? {
        guard let end = rest.firstIndex(where: { ends.contains($0) }) else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    /// Source: TOML 1.0.0, basic strings.
    private static func basic(_ rest: inout Substring) -> String? {
        var value = ""
        while let letter = rest.popFirst() {
            if letter == "\"" { return value }
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
