import TourNotebook

/// Changes to an item of the notebook, and to its category and files.
package struct NotebookDraft: Sendable {
    /// The change of a place's category.
    package enum Category: Sendable {
        case unchanged
        /// By its name; the category is created where there is none.
        case named(String)
        case none
    }

    /// Makes the new content from the current one; for a new item from an empty one of its kind.
    package var change: @Sendable (NotebookContent) throws -> NotebookContent
    /// For a place.
    package var category = Category.unchanged
    /// Absolute paths of files on this machine.
    package var pictures: [String] = []
    /// The absolute path of the place's one file.
    package var file: String?
    /// Ids of files to remove from the place, or six or more of their first digits.
    package var detached: [String] = []
    /// The version that the change is based on: another one is refused. Nil: whatever is stored.
    package var version: Int64?

    package init(change: @escaping @Sendable (NotebookContent) throws -> NotebookContent) { self.change = change }
}

extension NotebookContent {
    /// An empty item.
    init(empty kind: NotebookKind) throws(NodeError) {
        switch kind {
        case .note: self = .note(Note(title: "", content: ""))
        case .place: self = .place(SavedPlace(title: ""))
        case .category: self = .category(PlaceCategory(name: "", icon: "", color: "", order: 0))
        case .itinerary: self = .itinerary(Itinerary(title: ""))
        case .stop: self = .stop(Stop(title: ""))
        case .lost: throw NodeError.notebook(.madeLostEdit)
        }
    }

    /// - Throws: `bad-item`, worded with the field's name.
    func checked() throws(NodeError) -> NotebookContent {
        do throws(NotebookFault) {
            try check()
            return self
        } catch {
            throw NodeError.notebook(.badItem(kind, error))
        }
    }
}

extension NotebookKind {
    /// The user's word for an item of this kind.
    package var noun: String {
        switch self {
        case .note: "note"
        case .place: "place"
        case .category: "category"
        case .itinerary: "itinerary"
        case .stop: "stop"
        case .lost: "lost edit"
        }
    }
}
