import TourModel

/// One item of the notebook, on a device or at the server.
/// Source: `Protocol/12-notebook.md`, "Items".
package struct NotebookItem: Hashable, Sendable {
    /// The item's id.
    package var id: NotebookID
    /// The content.
    package var content: NotebookContent
    /// The seed's `sync_version`: increases by one with each change, from 1. It decides conflicts (see
    /// `NotebookVerdict`).
    package var version: Int64
    /// When it was created, in whole seconds since 1970, by the clock of the device that wrote it: for people, never
    /// for a decision.
    package var createdAt: Int64
    /// When it was last changed, likewise.
    package var updatedAt: Int64

    package init(id: NotebookID, content: NotebookContent, version: Int64, createdAt: Int64, updatedAt: Int64) {
        self.id = id
        self.content = content
        self.version = version
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The item's kind.
    package var kind: NotebookKind { content.kind }
}

/// The content of an item.
package enum NotebookContent: Hashable, Sendable {
    /// A note.
    case note(Note)
    /// A saved place or link.
    case bookmark(Bookmark)
    /// A category of saved places.
    case category(BookmarkCategory)
    /// An itinerary.
    case collection(Itinerary)
    /// A stop.
    case sample(Stop)
    /// An edit that lost a conflict.
    indirect case lost(LostEdit)

    /// The kind of item.
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

    /// The title for people.
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

    /// - Throws: `NotebookFault` (scope item): the field that is invalid or too long.
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
