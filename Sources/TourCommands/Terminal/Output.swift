import TourJSON
import TourWords

/// The output of a command, for programs (`--json`) or for people.
struct Output: Sendable {
    let json: Bool
    /// On a terminal, unless `NO_COLOR` is set. Source: no-color.org.
    let isColored: Bool
    /// Receives the lines instead of standard output and standard error.
    private let page: Page?

    private struct Page {
        let columns: Int
        let take: @Sendable (String) -> Void
    }

    /// For people, without colours, somewhere else than on a terminal.
    init(columns: Int, take: @escaping @Sendable (String) -> Void) {
        json = false
        isColored = false
        page = Page(columns: columns, take: take)
    }

    init(json: Bool) {
        self.json = json
        page = nil
        let refused = environmentValue("NO_COLOR").map { !$0.isEmpty } ?? false
        isColored = StandardStream.output.isTerminal && !refused && environmentValue("TERM") != "dumb"
    }

    /// One JSON object on its line.
    func object(_ value: JSON) throws { try StandardStream.output.write(value.encoded + [0x0A]) }

    /// Lines for people.
    func text(_ lines: Phrase...) throws { try text(lines) }

    func text(_ lines: [Phrase]) throws { try line(Phrase(lines, separator: "\n").text) }

    func line(_ text: String) throws {
        guard let page else { return try StandardStream.output.line(text) }
        page.take(text)
    }

    /// Words beside the answer: on standard error.
    func aside(_ words: Phrase) throws {
        guard let page else { return try StandardStream.error.line(words) }
        page.take(words.text)
    }

    /// As wide as the terminal; in a file or pipe as wide as the table needs.
    func table(_ table: Table) throws {
        let columns = page?.columns ?? (StandardStream.output.isTerminal ? TerminalSize.current.columns : nil)
        for line in table.lines(colored: isColored, columns: columns) { try self.line(line) }
    }

    func styled(_ text: String, _ style: Style) -> String { isColored ? style.around(text) : text }

    func styled(_ words: Phrase, _ style: Style) -> Phrase {
        isColored ? Phrase(verbatim: style.around(words.text)) : words
    }

    /// Another person's text, made safe for the terminal.
    func foreign(_ text: String, _ style: Style = .plain) -> String { styled(TerminalText.safe(text), style) }
}
