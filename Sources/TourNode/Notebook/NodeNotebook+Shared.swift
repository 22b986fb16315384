import TourModel
import TourNotebook
import TourStore
import TourWire

// The notebook's side of records that are shared in a tour. Source: `Protocol/12-notebook.md`, "Shared records".
extension NodeNotebook {
    /// The shared form of an item of our own notebook.
    func sharedRecord(_ name: String, _ kind: SharedKind) async throws -> (NotebookID, SharedRecord) {
        let id = try await self.id(kind.item, name)
        let record = try await besideTheLoop { store -> SharedRecord? in
            switch try store.notebookEntry(id)?.item.content {
            case .note(let note): return SharedRecord(note)
            case .place(let bookmark): return SharedRecord(bookmark)
            case .itinerary(let itinerary):
                var stops = [(id: NotebookID, stop: Stop)]()
                for stop in itinerary.stops {
                    // Skips stops that do not exist any more.
                    guard case .stop(let content)? = try store.notebookEntry(stop.id)?.item.content else { continue }
                    stops.append((stop.id, content))
                }
                return SharedRecord(itinerary, stops: stops)
            default: return nil
            }
        }
        guard let record else { throw NodeError.notebook(.unknownItem(kind.item, name)) }
        return (id, record)
    }

    /// Adds a shared record, as new items.
    /// - Returns: the id of the record's own item.
    /// - Throws: `bad-item`, and the codes of `StoreError`.
    func addCopy(of record: SharedRecord) async throws -> NotebookID {
        let now = Self.now
        let items = record.copies(now: now) { newID() }
        do {
            for item in items { try item.content.check() }
        } catch {
            throw NodeError.notebook(.badCopy(record.title, error))
        }
        let edits = items.map { NotebookEdit.put($0.id, $0.content) }
        try await besideTheLoop { store in try store.editNotebook(edits, now: now) }
        recordEdit()
        guard let copy = items.last else { throw NodeError.busy }
        return copy.id
    }

    /// The stops of all itineraries.
    func stops() async throws -> [NotebookID: Stop] {
        let items = try await besideTheLoop { store in try store.notebook(.stop).map(\.item) }
        var stops: [NotebookID: Stop] = [:]
        for item in items { if case .stop(let stop) = item.content { stops[item.id] = stop } }
        return stops
    }
}
