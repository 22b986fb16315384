import TourAPI

extension Draft {
    /// - Throws: when the text is empty, in the node's own words.
    static func check(_ text: String) throws(CommandFailure) {
        guard !text.isBlank else { throw .emptyText }
    }
}

/// A draft, with the line of the chat that it was typed as.
struct TypedDraft: Sendable {
    let draft: Draft
    let line: String
}
