/// Comma-separated values. Source: RFC 4180.
package enum CSV {
    /// One record with its CRLF.
    ///
    /// A cell that a spreadsheet would execute as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a line break,
    /// also after blanks or in full width) gets a leading apostrophe, and so does one that already has such
    /// apostrophes: `records` removes exactly one.
    /// - Parameter numbers: columns of numbers, which are written unchanged, also negative ones.
    package static func record(_ cells: [String], numbers: Set<Int> = []) -> String {
        let cells = cells.enumerated().map { quoted(numbers.contains($0.offset) ? $0.element : guarded($0.element)) }
        return cells.joined(separator: ",") + "\r\n"
    }

    /// The parts of one cell, such as tags: a record without its line end.
    package static func list(_ parts: [String]) -> String { parts.map(quoted).joined(separator: ",") }

    /// The parts of such a cell, trimmed.
    package static func parts(of cell: String) -> [String] {
        // A cell that is no list is one part: nothing that a person typed gets lost.
        guard let records = try? fields(of: Array(cell.utf8), separator: comma) else { return [cell] }
        return records.flatMap(\.cells).map(\.trimmed).filter { !$0.isEmpty }
    }

    /// A table's records, each with the number of its first line from 1; blank lines are left out. The first record
    /// determines whether commas, semicolons or tabs separate cells, unless a line `sep=;` before it says so, which
    /// spreadsheets write and heed. Apostrophes that guard formulas are removed.
    /// - Throws: `unreadable` for bytes that are not UTF-8, `malformed` for an unclosed quote.
    package static func records(
        _ bytes: some Collection<UInt8>
    ) throws(ImportFault) -> [(line: Int, cells: [String])] {
        let mark = FileText.mark
        let bytes = Array(bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes.dropFirst(0))
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .unreadable }
        let said = saidSeparator(bytes)
        let read = try fields(of: bytes, separator: said ?? separator(of: bytes))
        return read.dropFirst(said == nil ? 0 : 1).map { ($0.line, $0.cells.map(unguarded)) }
    }

    /// The separator that a first line `sep=;` names.
    private static func saidSeparator(_ bytes: [UInt8]) -> UInt8? {
        let line = bytes.prefix(8).prefix { $0 != 0x0A && $0 != 0x0D }.filter { $0 != quote }
        let word = String(decoding: line.prefix(4), as: UTF8.self).lowercased()
        return line.count == 5 && word == "sep=" ? line.last : nil
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")

    /// The most frequent of the three in the first line, outside quotes.
    private static func separator(of bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [comma: 0, UInt8(ascii: ";"): 0, UInt8(ascii: "\t"): 0]
        var isQuoted = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if !isQuoted, byte == 0x0A || byte == 0x0D { break }
            if !isQuoted, counts[byte] != nil { counts[byte, default: 0] += 1 }
        }
        let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return best.map { $0.value > 0 ? $0.key : comma } ?? comma
    }

    private static func fields(
        of bytes: [UInt8], separator: UInt8
    ) throws(ImportFault) -> [(line: Int, cells: [String])] {
        var reader = CSVReader(separator: separator)
        for byte in bytes { reader.add(byte) }
        return try reader.end()
    }

    private static let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]
    private static let opening: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
    private static let breaking: Set<Unicode.Scalar> = ["\t", "\r", "\n"]

    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: special.contains) else { return text }
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { result += "\"" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    private static func guarded(_ text: String) -> String { isFormulaBehindApostrophes(text) ? "'" + text : text }

    private static func unguarded(_ text: String) -> String {
        text.unicodeScalars.first == "'" && isFormulaBehindApostrophes(text)
            ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static func isFormulaBehindApostrophes(_ text: String) -> Bool {
        let rest = text.unicodeScalars.drop { $0 == "'" }
        guard let first = rest.first else { return false }
        if breaking.contains(first) { return true }
        guard let visible = rest.first(where: { !$0.properties.isWhitespace }) else { return false }
        return opening.contains(visible)
    }
}

/// Splits a table into its cells, byte by byte.
private struct CSVReader {
    let separator: UInt8
    private var records: [(line: Int, cells: [String])] = []
    private var cells: [String] = []
    private var cell: [UInt8] = []
    private var isQuoted = false
    /// A quote in a quoted cell: its end, or the first of two.
    private var isAfterQuote = false
    private var isAfterCR = false
    private var wasQuoted = false
    private var line = 1
    private var firstLine = 1

    init(separator: UInt8) { self.separator = separator }

    mutating func add(_ byte: UInt8) {
        defer { isAfterCR = byte == 0x0D }
        let isSecondOfPair = byte == 0x0A && isAfterCR
        if (byte == 0x0A && !isSecondOfPair) || byte == 0x0D { line += 1 }
        if isQuoted, !isAfterQuote {
            if byte == UInt8(ascii: "\"") { isAfterQuote = true } else { cell.append(byte) }
            return
        }
        if isAfterQuote {
            isAfterQuote = false
            if byte == UInt8(ascii: "\"") { return cell.append(byte) }
            isQuoted = false
        }
        switch byte {
        case separator: endCell()
        case 0x0A where isSecondOfPair: firstLine = line
        case 0x0A, 0x0D: endRecord()
        case UInt8(ascii: "\"") where cell.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
        default: cell.append(byte)
        }
    }

    mutating func end() throws(ImportFault) -> [(line: Int, cells: [String])] {
        guard !isQuoted || isAfterQuote else { throw .malformed(line: firstLine) }
        if !cells.isEmpty || !cell.isEmpty || wasQuoted { endRecord() }
        return records
    }

    private mutating func endCell() {
        cells.append(String(decoding: cell, as: UTF8.self))
        cell.removeAll(keepingCapacity: true)
        wasQuoted = false
    }

    private mutating func endRecord() {
        let isBlank = cells.isEmpty && cell.isEmpty && !wasQuoted
        endCell()
        if !isBlank { records.append((firstLine, cells)) }
        cells.removeAll(keepingCapacity: true)
        firstLine = line
    }
}

extension StringProtocol {
    /// Without leading and trailing white space.
    var trimmed: String {
        var rest = Substring(self)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
