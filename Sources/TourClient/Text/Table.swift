import TourModel
import TourWords

/// Columns that line up, by display width.
package struct Table {
    /// A text of the table in one style.
    package struct Cell: ExpressibleByStringLiteral, Sendable {
        /// Safe for a terminal.
        package var text: String
        package var style: Style
        /// To be copied by the user: neither broken nor cut.
        package var isWhole = false

        /// Makes the text safe for a terminal.
        package init(_ text: String, _ style: Style = .plain) {
            self.text = TerminalText.safe(text)
            self.style = style
        }

        package init(_ words: Phrase, _ style: Style = .plain) { self.init(words.text, style) }

        package init(stringLiteral value: String) { self.init(value) }

        /// A code, id or address.
        package static func whole(_ text: String, _ style: Style = .plain) -> Cell {
            var cell = Cell(text, style)
            cell.isWhole = true
            return cell
        }

        /// A moment of the local API in local time; empty for another text, and where there is none.
        package static func moment(_ text: String?, _ style: Style = .plain) -> Cell {
            Cell(text.flatMap { Timestamp($0) }?.dateAndTime ?? "", style)
        }

        fileprivate var width: Int { DisplayWidth.of(text) }

        /// The width of the widest part that cannot be broken.
        fileprivate var longestWord: Int {
            isWhole ? width : text.split(separator: " ").map { DisplayWidth.of(String($0)) }.max() ?? 0
        }

        /// Broken at spaces; a word that is too long ends in an ellipsis.
        fileprivate func lines(columns: Int) -> [String] {
            guard !isWhole, width > columns else { return [text] }
            let words = text.split(separator: " ").map { DisplayWidth.fitting(String($0), columns: columns) }
            return DisplayWidth.wrapped(words.joined(separator: " "), columns: columns)
        }
    }

    /// No column is made narrower than this by cutting words: an id's first digits stay.
    private static let columnMin = 8
    private static let gap = 2

    private let headers: [Phrase]
    private var rows: [[Cell]] = []

    /// - Parameter headers: one for each column; empty for a table without a head.
    package init(_ headers: [Phrase] = []) { self.headers = headers }

    /// Adds a row, one cell for each column.
    package mutating func add(_ row: [Cell]) { rows.append(row) }

    /// - Parameter columns: the available width; nil: unlimited. A whole cell may be wider; at the end of a row it
    ///   then gets a line of its own.
    package func lines(colored: Bool, columns: Int? = nil) -> [String] {
        let head = headers.isEmpty ? [] : [headers.map { Cell($0, .bold) }]
        let all = head + rows
        let count = all.map(\.count).max() ?? 0
        var widths = Self.maxima(all, count, of: \.width)
        guard let columns, Self.total(widths) > columns else {
            return all.flatMap { lines($0, widths: widths, room: .max, colored: colored) }
        }
        // A cell that may go on a line of its own needs no room in its row.
        let inRow = all.map { row in row.enumerated().filter { !($0.offset == count - 1 && $0.element.isWhole) } }
            .map { $0.map(\.element) }
        widths = Self.maxima(inRow, count, of: \.width)
        let words = Self.maxima(inRow, count, of: \.longestWord)
        let wholes = Self.maxima(inRow, count) { $0.isWhole ? $0.width : min($0.longestWord, Self.columnMin) }
        Self.shrink(&widths, downTo: words, total: columns)
        Self.shrink(&widths, downTo: wholes, total: columns)
        return all.flatMap { lines($0, widths: widths, room: columns, colored: colored) }
    }

    private static func maxima(_ rows: [[Cell]], _ count: Int, of size: (Cell) -> Int) -> [Int] {
        var maxima = [Int](repeating: 0, count: count)
        for row in rows {
            for (column, cell) in row.enumerated() { maxima[column] = max(maxima[column], size(cell)) }
        }
        return maxima
    }

    private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * max(widths.count - 1, 0) }

    /// Narrows the widest column that can be narrowed until all fit.
    private static func shrink(_ widths: inout [Int], downTo least: [Int], total: Int) {
        while Self.total(widths) > total {
            let giving = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = giving.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
        }
    }

    private func lines(_ row: [Cell], widths: [Int], room: Int, colored: Bool) -> [String] {
        var row = row
        var below: [String] = []
        if let last = row.last, last.isWhole, row.count == widths.count,
            Self.total(Array(widths.dropLast())) + Self.gap + last.width > room
        {
            let indent = String(repeating: " ", count: min(Self.gap, max(room - last.width, 0)))
            below = [indent + (colored ? last.style.around(last.text) : last.text)]
            row.removeLast()
        }
        let pieces = row.enumerated().map { $0.element.lines(columns: widths[$0.offset]) }
        let height = pieces.map(\.count).max() ?? 0
        let lines = (0..<height).map { number in
            let texts = pieces.map { number < $0.count ? $0[number] : "" }
            return line(texts, row.map(\.style), widths: widths, colored: colored)
        }
        return lines + below
    }

    private func line(_ texts: [String], _ styles: [Style], widths: [Int], colored: Bool) -> String {
        let last = texts.lastIndex { !$0.isEmpty } ?? -1
        var line = ""
        for (column, text) in texts.enumerated() where column <= last {
            line += colored && !text.isEmpty ? styles[column].around(text) : text
            if column < last {
                let room = max(widths[column] - DisplayWidth.of(text), 0)
                line += String(repeating: " ", count: room + Self.gap)
            }
        }
        return line
    }
}
