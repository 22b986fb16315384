import ArgumentParser
import Foundation
import Glibc
import ServerRequests
import TourServer

/// Prints what a command of the operator found: JSON, or text for people, in colours on a terminal.
struct AdminOutput {
    /// Whether a program reads it.
    let json: Bool
    /// Source: no-color.org.
    private let hasColours = isatty(STDOUT_FILENO) == 1 && environmentValue("NO_COLOR") == nil

    init(json: Bool) { self.json = json }

    /// Prints one value: as JSON, or what `text` prints.
    func show(_ value: some Encodable, text: () -> Void) throws {
        if json { printLine(try ServerOperator.json(value)) } else { text() }
    }

    /// Prints a list as a table, and that it goes on.
    func show<Row: Encodable>(
        _ page: OperatorPage<Row>, _ headings: [String], none: String, cells: (Row) -> [String]
    ) throws {
        try show(page) {
            guard !page.rows.isEmpty else { return printLine(none) }
            table(headings, page.rows.map(cells))
            if page.hasMore { printLine("There are more: raise --limit.", to: STDERR_FILENO) }
        }
    }

    /// Prints rows below headings, each column as wide as its widest cell.
    func table(_ headings: [String], _ rows: [[String]]) {
        let rows = rows.map { $0.map(Self.plain) }
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        for (index, row) in ([headings] + rows).enumerated() {
            let last = row.indices.last
            let line = zip(row.indices, zip(row, widths)).map { column, cell in
                column == last ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }.joined(separator: "  ")
            printLine(index == 0 && hasColours ? "\u{1B}[1m\(line)\u{1B}[0m" : line)
        }
    }

    /// Prints names and values below each other.
    func fields(_ fields: [(name: String, value: String)]) {
        let width = fields.map { $0.name.count }.max() ?? 0
        for (name, value) in fields {
            let padded = name + String(repeating: " ", count: width - name.count)
            printLine((hasColours ? "\u{1B}[1m\(padded)\u{1B}[0m" : padded) + "  " + Self.plain(value))
        }
    }

    /// Prints an error, and ends the program.
    func fail(code: String, _ message: String) throws -> Never {
        struct Refusal: Encodable {
            struct Words: Encodable {
                let code: String
                let message: String
            }
            let error: Words
        }
        let line =
            json
            ? try ServerOperator.json(Refusal(error: .init(code: code, message: message)))
            : "tour-server: \(message) (\(code))"
        printLine(line, to: STDERR_FILENO)
        throw ExitCode.failure
    }

    /// `2026-06-01 08:30Z`; `-` for none.
    static func time(_ date: Date?) -> String {
        guard let date, let text = JSONForm.text(seconds: Int64(date.timeIntervalSince1970)) else { return "-" }
        return String(text.prefix(16)).replacing("T", with: " ") + "Z"
    }

    /// `512 B`, `1.5 kB`, `3.2 GB`: in powers of 1,000.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var (value, unit) = (Double(bytes) / 1_000, 0)
        let units = ["kB", "MB", "GB", "TB"]
        while value >= 999.95, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Without control characters, which a terminal would obey.
    private static func plain(_ text: String) -> String {
        text.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
    }
}

extension Bool {
    var yesOrNo: String { self ? "yes" : "no" }
}
