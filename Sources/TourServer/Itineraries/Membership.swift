import TourModel
import TourNotebook

// Changes which stops an itinerary has, and their order. Each change is a new version of the itinerary.
extension SQL {
    /// The itineraries that a request names, each once.
    /// - Throws: `notFound` or `forbidden`, naming the first that is not the caller's; `invalidField` for too many.
    func itineraries(named names: [String], of account: Int64) throws(Failure) -> [NotebookItem] {
        guard names.count <= ServerLimits.itineraryIDsMax else { throw .invalid("collectionIds") }
        var found = [NotebookItem]()
        for (index, name) in names.enumerated() {
            let held = try owned(name, .itinerary, of: account, field: "collectionIds[\(index)]")
            if !found.contains(where: { $0.id == held.id }) { found.append(held) }
        }
        return found
    }

    /// Adds a stop to an itinerary.
    /// - Parameter position: the index among the visible stops; nil: at the end.
    /// - Parameter field: the field that an error names when the itinerary is full or has the stop.
    /// - Throws: `alreadyInItinerary`; `invalidField`; `quota`.
    func add(
        _ stop: NotebookID, to held: NotebookItem, at position: Int? = nil, of account: Int64, field: String,
        now: Int64
    ) throws(Failure) -> NotebookItem {
        var itinerary = try held.itinerary()
        guard !itinerary.stops.contains(where: { $0.id == stop }) else {
            throw Failure(.alreadyInItinerary, field: field)
        }
        guard itinerary.stops.count < Limits.notebookStopsMax else { throw .invalid(field) }
        let entry = Itinerary.Entry(id: stop, addedAt: now / 1_000_000)
        if let position {
            let visible = try liveStops(of: itinerary, of: account)
            guard (0...visible.count).contains(position) else { throw .invalid("position") }
            let next = position < visible.count ? visible[position].id : nil
            let place = itinerary.stops.firstIndex { $0.id == next } ?? itinerary.stops.endIndex
            itinerary.stops.insert(entry, at: place)
        } else {
            itinerary.stops.append(entry)
        }
        return try putNotebook(.itinerary(itinerary), id: held.id, of: account, now: now).item()
    }

    /// - Returns: false when the itinerary does not have the stop.
    func remove(
        _ stop: NotebookID, from held: NotebookItem, of account: Int64, now: Int64
    ) throws(Failure) -> Bool {
        var itinerary = try held.itinerary()
        let count = itinerary.stops.count
        itinerary.stops.removeAll { $0.id == stop }
        guard itinerary.stops.count < count else { return false }
        _ = try putNotebook(.itinerary(itinerary), id: held.id, of: account, now: now)
        return true
    }

    /// Makes these itineraries, and no others, contain the stop. In one that has it already the stop keeps its place.
    /// - Throws: the errors of `add`.
    func rewrite(
        _ stop: NotebookID, in chosen: [NotebookItem], of account: Int64, now: Int64
    ) throws(Failure) {
        let wanted = Set(chosen.map(\.id))
        var present = Set<NotebookID>()
        for row in try itineraries(with: [stop], of: account) {
            let held = try row.item()
            guard try held.itinerary().stops.contains(where: { $0.id == stop }) else { continue }
            if wanted.contains(row.id) {
                present.insert(row.id)
            } else {
                _ = try remove(stop, from: held, of: account, now: now)
            }
        }
        for itinerary in chosen where !present.contains(itinerary.id) {
            _ = try add(stop, to: itinerary, of: account, field: "collectionIds", now: now)
        }
    }

    /// Puts the visible stops in another order.
    /// - Parameter names: all visible stops, in their new order.
    /// - Throws: `stopsDiffer` unless the names are exactly the visible stops, so that no stop is lost when two
    ///   devices change the itinerary at once.
    func reorder(
        _ held: NotebookItem, _ names: [String], of account: Int64, now: Int64
    ) throws(Failure) -> NotebookItem {
        var itinerary = try held.itinerary()
        let visible = try liveStops(of: itinerary, of: account)
        var entries: [NotebookID: Itinerary.Entry] = [:]
        for entry in visible { entries[entry.id] = entry }
        var order = [Itinerary.Entry]()
        for name in names {
            guard let id = ResourceName.id(name, .stop), let entry = entries.removeValue(forKey: id) else {
                throw Failure(.stopsDiffer, field: "sampleIds")
            }
            order.append(entry)
        }
        guard entries.isEmpty else { throw Failure(.stopsDiffer, field: "sampleIds") }
        guard order != visible else { return held }
        let known = Set(visible.map(\.id))
        itinerary.stops = order + itinerary.stops.filter { !known.contains($0.id) }
        return try putNotebook(.itinerary(itinerary), id: held.id, of: account, now: now).item()
    }

    private func liveStops(of itinerary: Itinerary, of account: Int64) throws(Failure) -> [Itinerary.Entry] {
        var live = [Itinerary.Entry]()
        for entry in itinerary.stops {
            let row = try row(
                "SELECT 1 FROM notebook WHERE account = $1 AND id = $2 AND kind = $3 AND deleted = 0",
                [.integer(account), .bytes(entry.id.bytes), .text(NotebookKind.stop.rawValue)])
            if row != nil { live.append(entry) }
        }
        return live
    }
}
