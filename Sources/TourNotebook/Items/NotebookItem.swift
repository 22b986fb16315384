import TourModel

/// One thing in the notebook, as it stands on a device or at the server.
/// Source: `Protocol/12-notebook.md`, "Items".
package struct NotebookItem: Hashable, Sendable {
    package var id: NotebookID
    package var content: NotebookContent
    /// The seed's `sync_version`: one more with each change, from 1. It decides conflicts (see `NotebookVerdict`).
    package var version: Int64
    /// Whole seconds since 1970, by the clock of the device that wrote it: for people, never for a decision.
    package var createdAt: Int64
    package var updatedAt: Int64

    package init(id: NotebookID, content: NotebookContent, version: Int64, createdAt: Int64, updatedAt: Int64) {
        self.id = id
        self.content = content
        self.version = version
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    package var kind: NotebookKind { content.kind }
}

/// What an item says.
package enum NotebookContent: Hashable, Sendable {
    case note(Note)
    case bookmark(Bookmark)
    case category(BookmarkCategory)
    case collection(Itinerary)
    case sample(Stop)
    indirect case lost(LostEdit)

    package var kind: NotebookKind {
        switch self {
        case .note: .note
        case .bookmark: .bookmark
        case .category: .category
        case .collection: .collection
        case .sample: .sample
        case .lost: .lost
        }
    }

    /// What people know it by.
    package var title: String {
        switch self {
        case .note(let note): note.title
        case .bookmark(let bookmark): bookmark.title
        case .category(let category): category.name
        case .collection(let itinerary): itinerary.title
        case .sample(let stop): stop.title
        case .lost(let edit): edit.item.content.title
        }
    }

    /// - Throws: `NotebookFault` (scope item): which field is no such thing, or too long.
    package func check() throws(NotebookFault) {
        switch self {
        case .note(let note): try note.check()
        case .bookmark(let bookmark): try bookmark.check()
        case .category(let category): try category.check()
        case .collection(let itinerary): try itinerary.check()
        case .sample(let stop): try stop.check()
        case .lost(let edit): try edit.check()
        }
    }
}
