import TourAPI
import TourJSON
import TourWords

/// The output of a command, for programs (`--json`) or for people.
package struct Output: Sendable {
    /// For programs.
    package let json: Bool
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
    package func object(_ value: JSON) throws { try StandardStream.output.write(value.encoded + [0x0A]) }

    /// Lines for people.
    package func text(_ lines: Phrase...) throws { try text(lines) }

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
    package func table(_ table: Table) throws {
        let columns = page?.columns ?? (StandardStream.output.isTerminal ? TerminalSize.current.columns : nil)
        for line in table.lines(colored: isColored, columns: columns) { try self.line(line) }
    }

    /// A table with a row for each element.
    /// - Parameter none: in the place of a table without rows.
    func table<Element>(
        _ elements: [Element], _ head: [Phrase], none: Phrase? = nil, row: (Element) -> [Table.Cell]
    ) throws {
        if elements.isEmpty, let none { return try text(none) }
        var table = Table(head)
        for element in elements { table.add(row(element)) }
        try self.table(table)
    }

    /// On a terminal in this style.
    package func styled(_ text: String, _ style: Style) -> String { isColored ? style.around(text) : text }

    /// The same for words, in the user's language.
    package func styled(_ words: Phrase, _ style: Style) -> Phrase {
        isColored ? Phrase(verbatim: style.around(words.text)) : words
    }

    /// Another person's text, made safe for the terminal.
    package func foreign(_ text: String, _ style: Style = .plain) -> String { styled(TerminalText.safe(text), style) }
}

// Answers of the node.
extension Output {
    /// Prints the answer as it came, for programs.
    /// - Returns: the answer for people, as its type; nil: it is printed.
    func forPeople<Answer: JSONReadable>(_ answer: JSON) throws -> Answer? {
        if !json { return try Answer(answer: answer) }
        try object(answer)
        return nil
    }

    /// The same for an answer with a list, of which programs get each element on its line.
    func forPeople<Answer: JSONReadable>(eachOf answer: JSON) throws -> Answer? {
        if !json { return try Answer(answer: answer) }
        try answer.elements.forEach(object)
        return nil
    }

    /// An answer that says no more than that something was done.
    func done(_ answer: JSON, _ words: Phrase...) throws { try done(answer, words) }

    func done(_ answer: JSON, _ words: [Phrase]) throws {
        if json { try object(answer) } else { try text(words) }
    }

    /// A list's elements as they came, for programs; for people a table, or beside the answer that it is empty.
    func list(_ elements: [JSON], _ head: [Phrase], none: Phrase, row: (JSON) -> [Table.Cell]) throws {
        if json { return try elements.forEach(object) }
        if elements.isEmpty { return try aside(none) }
        try table(elements, head, row: row)
    }
}

extension JSON {
    /// The elements of an answer's list, as they came.
    var elements: [JSON] {
        guard case .object(let members) = self else { return [] }
        return members.compactMap(\.value.list).first ?? []
    }
}
