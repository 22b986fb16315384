import TourNotebook
import TourWords

/// What somebody wants of an item of the notebook, beside what the item itself says.
package struct NotebookDraft: Sendable {
    /// What becomes of a place's category.
    package enum Category: Sendable {
        case unchanged
        /// By its name; it is made where there is none.
        case named(String)
        case none
    }

    /// The new content, from what is there; of a new item from one of its kind with nothing in it.
    package var change: @Sendable (NotebookContent) throws -> NotebookContent
    package var category = Category.unchanged
    /// Absolute paths of files of this machine.
    package var pictures: [String] = []
    package var file: String?
    /// Ids of a place's files, or six or more of their first digits, that go.
    package var detached: [String] = []
    /// The version that the change began from: another one is refused. Nil: whatever is there.
    package var version: Int64?

    package init(change: @escaping @Sendable (NotebookContent) throws -> NotebookContent) { self.change = change }
}

extension NotebookContent {
    /// One with nothing in it yet.
    init(empty kind: NotebookKind) throws(NodeError) {
        switch kind {
        case .note: self = .note(Note(title: "", content: ""))
        case .bookmark: self = .bookmark(Bookmark(title: ""))
        case .category: self = .category(BookmarkCategory(name: "", icon: "", color: "", order: 0))
        case .collection: self = .collection(Itinerary(title: ""))
        case .sample: self = .sample(Stop(title: ""))
        case .lost: throw NodeError("bad-request", Phrase("What lost a conflict is made by conflicts alone."))
        }
    }

    /// - Throws: `bad-item`, in words that name the field.
    func checked() throws(NodeError) -> NotebookContent {
        do throws(NotebookFault) {
            try check()
            return self
        } catch {
            throw NodeError.badItem(kind, error)
        }
    }
}

extension NotebookKind {
    /// What people call one of them.
    package var noun: String {
        switch self {
        case .note: "note"
        case .bookmark: "place"
        case .category: "category"
        case .collection: "itinerary"
        case .sample: "stop"
        case .lost: "lost edit"
        }
    }
}
