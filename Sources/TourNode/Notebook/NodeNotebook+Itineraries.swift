import TourModel
import TourNotebook
import TourStore

// The stops of an itinerary, in their order. A stop is named by its number in the itinerary, its id, six or more of
// the id's first digits, or its title.
extension NodeNotebook {
    /// - Parameters:
    ///   - stop: a new one; nil: `known` names an existing one.
    ///   - position: from 1; nil: the last.
    /// - Throws: `unknown-item`, `bad-item`, `bad-position`, `stop-there`.
    package func addStop(
        to itinerary: String, _ stop: NotebookDraft?, known: String?, position: Int?
    ) async throws -> NotebookView {
        let id = try await id(.itinerary, itinerary)
        var stopID = newID()
        if stop == nil { stopID = try await self.id(.stop, known ?? "") }
        let now = Self.now
        try await changing(id) { [stopID] itinerary, _ in
            let content = try stop?.change(NotebookContent(empty: .stop)).checked()
            guard !itinerary.stops.contains(where: { $0.id == stopID }) else {
                throw NodeError.notebook(.stopIsThere)
            }
            let place = try Self.index(position, of: itinerary.stops.count + 1)
            itinerary.stops.insert(.init(id: stopID, addedAt: now), at: place)
            return content.map { [.put(stopID, $0)] } ?? []
        }
        return try await view(of: id)
    }

    /// - Parameter position: from 1, as counted after the move.
    package func moveStop(_ stop: String, in itinerary: String, to position: Int) async throws -> NotebookView {
        let id = try await id(.itinerary, itinerary)
        let stopID = try await stopID(stop, in: id)
        try await changing(id) { itinerary, _ in
            guard let from = itinerary.stops.firstIndex(where: { $0.id == stopID }) else {
                throw NodeError.notebook(.unknownItem(.stop, stop))
            }
            let target = try Self.index(position, of: itinerary.stops.count)
            itinerary.stops.insert(itinerary.stops.remove(at: from), at: target)
            return []
        }
        return try await view(of: id)
    }

    /// Removes a stop from an itinerary. Unless `keeps`, a stop that is in no other itinerary is deleted.
    package func dropStop(_ stop: String, from itinerary: String, keeps: Bool) async throws -> NotebookView {
        let id = try await id(.itinerary, itinerary)
        let stopID = try await stopID(stop, in: id)
        try await changing(id) { itinerary, store in
            guard let place = itinerary.stops.firstIndex(where: { $0.id == stopID }) else {
                throw NodeError.notebook(.unknownItem(.stop, stop))
            }
            itinerary.stops.remove(at: place)
            return try keeps || store.stopsOfItineraries(but: id).contains(stopID) ? [] : [.delete(stopID)]
        }
        return try await view(of: id)
    }

    /// Changes a stop of an itinerary.
    package func changeStop(
        _ stop: String, in itinerary: String, _ draft: NotebookDraft
    ) async throws -> NotebookView {
        let id = try await stopID(stop, in: id(.itinerary, itinerary))
        return try await change(.stop, id.text, draft)
    }

    /// Changes the itinerary's list; stops that do not exist any more are dropped from it, as they are from views.
    /// - Parameter change: returns the further edits that belong to the change.
    private func changing(
        _ id: NotebookID, _ change: @escaping @Sendable (inout Itinerary, TourStore) throws -> [NotebookEdit]
    ) async throws {
        try await editing(id) { store, entry in
            guard case .itinerary(var itinerary) = entry.item.content else {
                throw NodeError.notebook(.unknownItem(.itinerary, id.text))
            }
            itinerary.stops = try itinerary.stops.filter { try store.notebookEntry($0.id) != nil }
            let more = try change(&itinerary, store)
            return [.put(id, try NotebookContent.itinerary(itinerary).checked())] + more
        }
    }

    /// - Throws: `unknown-item`, `ambiguous`.
    private func stopID(_ name: String, in id: NotebookID) async throws -> NotebookID {
        try await besideTheLoop { store in
            guard case .itinerary(let itinerary)? = try store.notebookEntry(id)?.item.content else {
                throw NodeError.notebook(.unknownItem(.itinerary, id.text))
            }
            let stops = try itinerary.stops.compactMap { try store.notebookEntry($0.id)?.item }
            if let number = Int(name), stops.indices.contains(number - 1) { return stops[number - 1].id }
            let digits = name.filter { $0 != "-" }.lowercased()
            let byID = digits.utf8.count >= 6 ? stops.filter { $0.id.digits.hasPrefix(digits) } : []
            let folded = FoldedText.of(name)
            let byTitle = stops.filter { FoldedText.of($0.content.title) == folded }
            guard let found = try Self.only(byID, name) ?? Self.only(byTitle, name) else {
                throw NodeError.notebook(.unknownItem(.stop, name))
            }
            return found
        }
    }

    /// - Parameter count: how many stops there will be.
    private nonisolated static func index(_ position: Int?, of count: Int) throws(NodeError) -> Int {
        guard let position else { return max(count - 1, 0) }
        guard (1...max(count, 1)).contains(position) else {
            throw NodeError.notebook(.badPosition(position, count: count))
        }
        return position - 1
    }
}

extension TourStore {
    /// Stops of all itineraries but one.
    func stopsOfItineraries(but id: NotebookID) throws(StoreError) -> Set<NotebookID> {
        var stops: Set<NotebookID> = []
        for entry in try notebook(.itinerary) where entry.item.id != id {
            if case .itinerary(let itinerary) = entry.item.content { stops.formUnion(itinerary.stops.map(\.id)) }
        }
        return stops
    }
}
