import ArgumentParser
import Foundation
import Glibc
import ServerRequests
import TourServer

/// What a command of the operator found or did: a value for programs, and what people see of it.
struct AdminAnswer {
    /// A piece of text for people.
    enum Part {
        case line(String)
        /// Names and values below each other.
        case fields([(name: String, value: String)])
        /// Rows below headings.
        case table([String], [[String]])
        /// A line beside the answer, on standard error.
        case aside(String)
    }

    let value: any Encodable
    let parts: [Part]

    init(_ value: any Encodable, parts: [Part]) { (self.value, self.parts) = (value, parts) }

    init(_ value: any Encodable, _ lines: String...) { self.init(value, parts: lines.map { .line($0) }) }

    /// A list as a table, which says where it goes on.
    /// - Parameter none: in the place of a table without rows.
    init<Row: Encodable>(
        _ page: OperatorPage<Row>, _ headings: [String], none: String, cells: (Row) -> [String]
    ) {
        let more = page.hasMore ? [Part.aside("There are more: raise --limit.")] : []
        self.init(page, parts: page.rows.isEmpty ? [.line(none)] : [.table(headings, page.rows.map(cells))] + more)
    }
}

/// Prints the answer of a command of the operator: JSON, or text for people, in colours on a terminal.
struct AdminOutput {
    /// Whether a program reads it.
    let json: Bool
    /// Source: no-color.org.
    private let hasColours = isatty(STDOUT_FILENO) == 1 && environmentValue("NO_COLOR") == nil

    init(json: Bool) { self.json = json }

    func show(_ answer: AdminAnswer) throws {
        if json { return printLine(try ServerOperator.json(answer.value)) }
        for part in answer.parts {
            switch part {
            case .line(let line): printLine(line)
            case .fields(let fields): self.fields(fields)
            case .table(let headings, let rows): table(headings, rows)
            case .aside(let line): printLine(line, to: STDERR_FILENO)
            }
        }
    }

    /// Prints rows below headings, each column as wide as its widest cell.
    private func table(_ headings: [String], _ rows: [[String]]) {
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
    private func fields(_ fields: [(name: String, value: String)]) {
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
