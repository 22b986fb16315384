import TourCode
import TourWords

extension QRCode {
    /// Two rows of modules in a line of half blocks.
    /// - Parameter colored: black on white whatever the terminal's colours are; else light modules are drawn, which
    ///   is right for a dark background.
    package func lines(colored: Bool) -> [String] {
        stride(from: 0, to: columns, by: 2).map { row in
            var line = ""
            for column in 0..<columns {
                // A last half row below the quiet zone counts as light.
                let upper = isDark(row: row, column: column)
                let lower = isDark(row: row + 1, column: column)
                switch (upper, lower) {
                case (true, true): line += colored ? "█" : " "
                case (true, false): line += colored ? "▀" : "▄"
                case (false, true): line += colored ? "▄" : "▀"
                case (false, false): line += colored ? " " : "█"
                }
            }
            return colored ? "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m" : line
        }
    }
}

extension Output {
    /// A code as the terminal can show it.
    /// - Parameter instead: what to say to whom a terminal is too narrow for it, by the columns that it needs.
    func code(_ code: QRCode, instead: (Int) -> Phrase) throws {
        guard !StandardStream.output.isTerminal || code.columns <= TerminalSize.current.columns else {
            return try text(instead(code.columns))
        }
        let lines = code.lines(colored: StandardStream.output.isTerminal)
        try text(Phrase(verbatim: lines.joined(separator: "\n")))
    }
}
