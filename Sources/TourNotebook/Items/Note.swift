import TourModel

/// A note. Source: seed 002, `NoteDTO`.
package struct Note: Hashable, Sendable {
    /// The title.
    package var title: String
    /// The text.
    package var content: String

    package init(title: String, content: String) {
        self.title = title
        self.content = content
    }

    func check() throws(NotebookFault) {
        try NotebookFault.checkName(title, "title", Limits.notebookTitleBytesMax)
        try NotebookFault.check(content, "content", Limits.notebookTextBytesMax)
    }
}

extension Note: Codable {
    /// The names in JSON.
    package enum CodingKeys: String, CodingKey { case title, content }
}
