import TourModel
import TourNotebook
import TourStore

// The items, for their user. The disk is read and written off the loop; each write names the version that it is based
// on, so that changes of a sync in between are not lost.
extension NodeNotebook {
    /// All items of a kind, in the order of their creation.
    package func items(_ kind: NotebookKind) async throws -> [NotebookView] {
        try await besideTheLoop { store in try store.notebook(kind).map { NotebookView($0) } }
    }

    /// One item; an itinerary includes its stops.
    /// - Parameter name: its id, six or more of the id's first digits, or its title.
    package func item(_ kind: NotebookKind, _ name: String) async throws -> NotebookView {
        try await view(of: id(kind, name))
    }

    /// - Throws: `bad-item`, `bad-path` and the like for files, the codes of `StoreError`.
    package func add(_ kind: NotebookKind, _ draft: NotebookDraft) async throws -> NotebookView {
        let files = try await attachments(of: draft)
        let (id, fresh) = (newID(), newID())
        let now = Self.now
        try await besideTheLoop { store in
            var edits: [NotebookEdit] = []
            let content = try draft.change(NotebookContent(empty: kind))
            edits.append(.put(id, try content.put(in: draft.category, store, fresh, &edits).checked()))
            edits += files.map { .attach(id, $0.attachment, $0.bytes) }
            try store.editNotebook(edits, now: now)
        }
        recordEdit()
        return try await view(of: id)
    }

    /// - Throws: `unknown-item`, `item-changed`, and as above.
    package func change(
        _ kind: NotebookKind, _ name: String, _ draft: NotebookDraft
    ) async throws -> NotebookView {
        let files = try await attachments(of: draft)
        let id = try await id(kind, name)
        let fresh = newID()
        try await editing(id) { store, entry in
            if let version = draft.version, version != entry.item.version { throw StoreError.changedMeanwhile }
            var edits: [NotebookEdit] = []
            let content = try draft.change(entry.item.content)
            edits.append(.put(id, try content.put(in: draft.category, store, fresh, &edits).checked()))
            edits += try draft.detached.map { .detach(id, attachment: try Self.attachment($0, of: entry).id) }
            return edits + files.map { .attach(id, $0.attachment, $0.bytes) }
        }
        return try await view(of: id)
    }

    /// - Returns: the deleted item.
    package func remove(_ kind: NotebookKind, _ name: String) async throws -> NotebookView {
        let id = try await id(kind, name)
        let before = try await besideTheLoop { store in try store.notebookEntry(id) }
        guard let before else { throw NodeError.notebook(.unknownItem(kind, name)) }
        try await editing(id) { store, entry in
            guard case .itinerary(let itinerary) = entry.item.content else { return [.delete(id)] }
            // Stops that are in no other itinerary would be visible nowhere.
            let elsewhere = try store.stopsOfItineraries(but: id)
            return [.delete(id)]
                + itinerary.stops.map(\.id).filter { !elsewhere.contains($0) }.map { .delete($0) }
        }
        return NotebookView(before)
    }

    /// Makes the loser of a conflict an item of its own again.
    package func restoreLost(_ name: String) async throws -> NotebookView {
        let lost = try await id(.lost, name)
        let id = newID()
        try await editing(lost) { _, entry in
            guard case .lost(let edit) = entry.item.content else { throw NodeError.notebook(.unknownItem(.lost, name)) }
            return [.put(id, edit.item.content), .delete(lost)]
        }
        return try await view(of: id)
    }
}

// Finding and editing one item.
extension NodeNotebook {
    /// - Throws: `unknown-item`; `ambiguous`, with the candidates.
    nonisolated func id(_ kind: NotebookKind, _ name: String) async throws -> NotebookID {
        try await besideTheLoop { store in
            let byID = try store.notebookEntries(idPrefix: name).map(\.item).filter { $0.kind == kind }
            if let id = try Self.only(byID, name) { return id }
            let folded = FoldedText.of(name)
            let byTitle = try store.notebook(kind).map(\.item).filter { FoldedText.of($0.content.title) == folded }
            guard let id = try Self.only(byTitle, name) else { throw NodeError.notebook(.unknownItem(kind, name)) }
            return id
        }
    }

    /// - Returns: nil if none was found.
    /// - Throws: `ambiguous`.
    nonisolated static func only(_ found: [NotebookItem], _ name: String) throws(NodeError) -> NotebookID? {
        guard found.count > 1 else { return found.first?.id }
        throw NodeError.ambiguous(name, found.prefix(5).map { "\($0.id.digits.prefix(12)) (\($0.content.title))" })
    }

    nonisolated func view(of id: NotebookID) async throws -> NotebookView {
        try await besideTheLoop { store in
            guard let entry = try store.notebookEntry(id) else {
                throw NodeError.notebook(.itemGone)
            }
            guard case .itinerary(let itinerary) = entry.item.content else { return NotebookView(entry) }
            return NotebookView(
                entry, stops: try itinerary.stops.compactMap { try store.notebookEntry($0.id).map { NotebookView($0) } }
            )
        }
    }

    /// Reads an item, makes edits of it and writes them; repeats that if a sync changed the item in between.
    func editing(
        _ id: NotebookID, _ make: @escaping @Sendable (TourStore, NotebookEntry) throws -> [NotebookEdit]
    ) async throws {
        let now = Self.now
        try await besideTheLoop { store in
            for attempt in 1...Self.editAttempts {
                guard let entry = try store.notebookEntry(id) else {
                    throw NodeError.notebook(.itemGone)
                }
                let edits = try make(store, entry)
                do throws(StoreError) {
                    return try store.editNotebook(edits, expecting: [id: entry.item.content], now: now)
                } catch {
                    guard error == .changedMeanwhile, attempt < Self.editAttempts else { throw error }
                }
            }
        }
        recordEdit()
    }

    /// Enough, since syncs are seconds apart.
    private nonisolated static let editAttempts = 3
}

extension NotebookContent {
    /// Sets the category's id, and adds the edit that creates a missing category.
    /// - Parameter fresh: the id for the new category.
    fileprivate func put(
        in category: NotebookDraft.Category, _ store: TourStore, _ fresh: NotebookID, _ edits: inout [NotebookEdit]
    ) throws -> NotebookContent {
        guard case .place(var bookmark) = self else { return self }
        switch category {
        case .unchanged: return self
        case .none: bookmark.categoryID = nil
        case .named(let name):
            let known = try store.notebook(.category).map(\.item)
            let folded = FoldedText.of(name)
            if let found = known.first(where: { FoldedText.of($0.content.title) == folded }) {
                bookmark.categoryID = found.id
            } else {
                let new = PlaceCategory(name: name, icon: "", color: "", order: known.count)
                edits.append(.put(fresh, try NotebookContent.category(new).checked()))
                bookmark.categoryID = fresh
            }
        }
        return .place(bookmark)
    }
}
