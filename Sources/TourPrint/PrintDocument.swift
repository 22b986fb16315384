/// What is to be printed. Every text is printed as it stands: nothing in it is markup.
package struct PrintDocument: Hashable, Sendable {
    package enum Block: Hashable, Sendable {
        /// Paragraphs, one a line of the text.
        case text(String)
        /// A line above what belongs together; it is not left alone at the foot of a page.
        case heading(String)
        /// One thing of a numbered list: a stop with what is said of it.
        case entry(number: Int, title: String, lines: [String])
    }

    /// Also the title that the file has where files are listed.
    package var title: String
    /// Small lines below the title: dates, say.
    package var details: [String]
    package var body: [Block]
    /// Of most of the text, as `tr` or `ja` (BCP 47): it decides between fonts where scripts share characters.
    package var language: String?

    package init(title: String, details: [String] = [], body: [Block] = [], language: String? = nil) {
        self.title = title
        self.details = details
        self.body = body
        self.language = language
    }

    /// All of the text, in bytes of UTF-8.
    var textBytes: Int {
        title.utf8.count + details.reduce(0) { $0 + $1.utf8.count }
            + body.reduce(0) { sum, block in
                switch block {
                case .text(let text), .heading(let text): sum + text.utf8.count
                case .entry(_, let title, let lines):
                    sum + title.utf8.count + lines.reduce(0) { $0 + $1.utf8.count }
                }
            }
    }
}
