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
    case place(SavedPlace)
    /// A category of saved places.
    case category(PlaceCategory)
    /// An itinerary.
    case itinerary(Itinerary)
    /// A stop.
    case stop(Stop)
    /// An edit that lost a conflict.
    indirect case lost(LostEdit)

    /// The kind of item.
    package var kind: NotebookKind {
        switch self {
        case .note: .note
        case .place: .place
        case .category: .category
        case .itinerary: .itinerary
        case .stop: .stop
        case .lost: .lost
        }
    }

    /// The title for people.
    package var title: String {
        switch self {
        case .note(let note): note.title
        case .place(let place): place.title
        case .category(let category): category.name
        case .itinerary(let itinerary): itinerary.title
        case .stop(let stop): stop.title
        case .lost(let edit): edit.item.content.title
        }
    }

    /// - Throws: `NotebookFault` (scope item): the field that is invalid or too long.
    package func check() throws(NotebookFault) {
        switch self {
        case .note(let note): try note.check()
        case .place(let place): try place.check()
        case .category(let category): try category.check()
        case .itinerary(let itinerary): try itinerary.check()
        case .stop(let stop): try stop.check()
        case .lost(let edit): try edit.check()
        }
    }
}
