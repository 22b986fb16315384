/// A document to print. Every text is printed literally: nothing in it is markup.
package struct PrintDocument: Hashable, Sendable {
    /// A part of the document's body.
    package enum Block: Hashable, Sendable {
        /// Paragraphs, one for each line of the text.
        case text(String)
        /// A heading; it is not left alone at the bottom of a page.
        case heading(String)
        /// An entry of a numbered list: a stop with its details.
        case entry(number: Int, title: String, lines: [String])
    }

    /// Also the file's title, as lists of files show it.
    package var title: String
    /// Small lines below the title, for example dates.
    package var details: [String]
    package var body: [Block]
    /// Of most of the text, as `tr` or `ja` (BCP 47): selects fonts where scripts share characters.
    package var language: String?

    package init(title: String, details: [String] = [], body: [Block] = [], language: String? = nil) {
        self.title = title
        self.details = details
        self.body = body
        self.language = language
    }

    /// All of the text, in its order.
    var texts: [String] {
        [title] + details
            + body.flatMap { block in
                switch block {
                case .text(let text), .heading(let text): [text]
                case .entry(_, let title, let lines): [title] + lines
                }
            }
    }

    /// All of the text, in bytes of UTF-8.
    var textBytes: Int { texts.reduce(0) { $0 + $1.utf8.count } }
}
