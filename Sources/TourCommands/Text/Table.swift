/// Columns that line up, by display width.
package struct Table {
    package struct Cell: ExpressibleByStringLiteral, Sendable {
        package var text: String
        package var style: Style

        /// Makes the text safe for a terminal.
        package init(_ text: String, _ style: Style = .plain) {
            self.text = TerminalText.safe(text)
            self.style = style
        }

        package init(stringLiteral value: String) { self.init(value) }
    }

    private let headers: [String]
    private var rows: [[Cell]] = []

    /// - Parameter headers: one a column; empty for a table without a head.
    package init(_ headers: [String] = []) { self.headers = headers }

    package mutating func add(_ row: [Cell]) { rows.append(row) }

    package func lines(colored: Bool) -> [String] {
        let head = headers.isEmpty ? [] : [headers.map { Cell($0, .bold) }]
        let all = head + rows
        var widths = [Int](repeating: 0, count: all.map(\.count).max() ?? 0)
        for row in all {
            for (column, cell) in row.enumerated() {
                widths[column] = max(widths[column], DisplayWidth.of(cell.text))
            }
        }
        return all.map { line($0, widths: widths, colored: colored) }
    }

    private func line(_ row: [Cell], widths: [Int], colored: Bool) -> String {
        let last = row.lastIndex { !$0.text.isEmpty } ?? -1
        var line = ""
        for (column, cell) in row.enumerated() where column <= last {
            line += colored ? cell.style.around(cell.text) : cell.text
            if column < last {
                line += String(repeating: " ", count: widths[column] - DisplayWidth.of(cell.text) + 2)
            }
        }
        return line
    }
}
