import TourWeb
import TourWords

/// What a command prints, for programs (`--json`) or for people.
struct Output: Sendable {
    let json: Bool
    /// On a terminal, unless `NO_COLOR` is set. Source: no-color.org.
    let isColored: Bool

    init(json: Bool) {
        self.json = json
        let refused = environmentValue("NO_COLOR").map { !$0.isEmpty } ?? false
        isColored = StandardStream.output.isTerminal && !refused && environmentValue("TERM") != "dumb"
    }

    /// One JSON object on its line.
    func object(_ value: JSON) throws { try StandardStream.output.write(value.encoded + [0x0A]) }

    /// Lines for people.
    func text(_ lines: Phrase...) throws { try text(lines) }

    func text(_ lines: [Phrase]) throws { try StandardStream.output.line(Phrase(lines, separator: "\n")) }

    /// As wide as the terminal; in a file or pipe as wide as it is.
    func table(_ table: Table) throws {
        let columns = StandardStream.output.isTerminal ? TerminalSize.current.columns : nil
        for line in table.lines(colored: isColored, columns: columns) { try StandardStream.output.line(line) }
    }

    func styled(_ text: String, _ style: Style) -> String { isColored ? style.around(text) : text }

    func styled(_ words: Phrase, _ style: Style) -> Phrase {
        isColored ? Phrase(verbatim: style.around(words.text)) : words
    }

    /// Text that somebody else wrote, safe for the terminal.
    func foreign(_ text: String, _ style: Style = .plain) -> String { styled(TerminalText.safe(text), style) }
}
