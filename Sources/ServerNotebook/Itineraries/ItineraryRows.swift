import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// The itineraries of one account with their stops, inside one transaction: items of its notebook. Each change of an
/// itinerary's stops, or of their order, is a new version of the itinerary.
struct ItineraryRows {
    let notebook: NotebookRows

    init(sql: any SQL, of caller: AuthenticatedAccount) { notebook = NotebookRows(sql: sql, of: caller) }

    /// The caller's own item of that name, not deleted.
    /// - Parameter field: the request field with the name; nil for a name in the path.
    /// - Throws: `notFound`; `forbidden` for an item of another account.
    func owned(_ name: String, _ kind: NotebookKind, field: String? = nil) throws(Failure) -> NotebookItem {
        try notebook.owned(ResourceName.id(name, kind), kind, field: field)
    }

    /// - Parameter room: the bytes left for contents; this itinerary's bytes are subtracted.
    /// - Throws: `internal` for an item that is no itinerary.
    func open(_ item: NotebookItem, room: inout Int) throws(Failure) -> OpenedItinerary {
        let content = try item.itinerary()
        room -= content.title.utf8.count + (content.description?.utf8.count ?? 0)
        var stops = [OpenedItinerary.ListedStop]()
        var isCut = false
        for entry in content.stops {
            guard let row = try notebook.row(entry.id), !row.isDeleted, row.kind == .stop else {
                continue
            }
            let listed = try row.item()
            guard case .stop(var stop) = listed.content else { continue }
            room -= row.body.utf8.count
            if room < 0, stop.note != nil {
                stop.note = nil
                isCut = true
            }
            stops.append(OpenedItinerary.ListedStop(entry: entry, item: listed, stop: stop))
        }
        return OpenedItinerary(item: item, content: content, stops: stops, isCut: isCut)
    }

    /// - Throws: `notFound`; `forbidden`; `internal`.
    func open(itinerary name: String, room: Int) throws(Failure) -> OpenedItinerary {
        var room = room
        return try open(try owned(name, .itinerary), room: &room)
    }

    /// The itineraries that a request names, each once.
    /// - Throws: `notFound` or `forbidden`, naming the first that is not the caller's; `invalidField` for too many.
    func itineraries(named names: [String]) throws(Failure) -> [NotebookItem] {
        guard names.count <= ServerLimits.itineraryIDsMax else { throw .invalid("collectionIds") }
        var found = [NotebookItem]()
        for (index, name) in names.enumerated() {
            let held = try owned(name, .itinerary, field: "collectionIds[\(index)]")
            if !found.contains(where: { $0.id == held.id }) { found.append(held) }
        }
        return found
    }

    /// Adds a stop to an itinerary.
    /// - Parameter position: the index among the visible stops; nil: at the end.
    /// - Parameter field: the field that an error names when the itinerary is full or has the stop.
    /// - Throws: `alreadyInItinerary`; `invalidField`; `quota`.
    func add(
        _ stop: NotebookID, to held: NotebookItem, at position: Int? = nil, field: String, now: Int64
    ) throws(Failure) -> NotebookItem {
        var itinerary = try held.itinerary()
        guard !itinerary.stops.contains(where: { $0.id == stop }) else {
            throw Failure(.alreadyInItinerary, field: field)
        }
        guard itinerary.stops.count < Limits.notebookStopsMax else { throw .invalid(field) }
        let entry = Itinerary.Entry(id: stop, addedAt: now / 1_000_000)
        if let position {
            let visible = try liveStops(of: itinerary)
            guard (0...visible.count).contains(position) else { throw .invalid("position") }
            let next = position < visible.count ? visible[position].id : nil
            let place = itinerary.stops.firstIndex { $0.id == next } ?? itinerary.stops.endIndex
            itinerary.stops.insert(entry, at: place)
        } else {
            itinerary.stops.append(entry)
        }
        return try notebook.put(.itinerary(itinerary), id: held.id, now: now).item()
    }

    /// - Returns: false when the itinerary does not have the stop.
    func remove(_ stop: NotebookID, from held: NotebookItem, now: Int64) throws(Failure) -> Bool {
        var itinerary = try held.itinerary()
        let count = itinerary.stops.count
        itinerary.stops.removeAll { $0.id == stop }
        guard itinerary.stops.count < count else { return false }
        _ = try notebook.put(.itinerary(itinerary), id: held.id, now: now)
        return true
    }

    /// Makes these itineraries, and no others, contain the stop. In one that has it already the stop keeps its place.
    /// - Throws: the errors of `add`.
    func rewrite(_ stop: NotebookID, in chosen: [NotebookItem], now: Int64) throws(Failure) {
        let wanted = Set(chosen.map(\.id))
        var present = Set<NotebookID>()
        for row in try notebook.itineraries(with: [stop]) {
            let held = try row.item()
            guard try held.itinerary().stops.contains(where: { $0.id == stop }) else { continue }
            if wanted.contains(row.id) {
                present.insert(row.id)
            } else {
                _ = try remove(stop, from: held, now: now)
            }
        }
        for itinerary in chosen where !present.contains(itinerary.id) {
            _ = try add(stop, to: itinerary, field: "collectionIds", now: now)
        }
    }

    /// Puts the visible stops in another order.
    /// - Parameter names: all visible stops, in their new order.
    /// - Throws: `stopsDiffer` unless the names are exactly the visible stops, so that no stop is lost when two
    ///   devices change the itinerary at once.
    func reorder(_ held: NotebookItem, _ names: [String], now: Int64) throws(Failure) -> NotebookItem {
        var itinerary = try held.itinerary()
        let visible = try liveStops(of: itinerary)
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
        return try notebook.put(.itinerary(itinerary), id: held.id, now: now).item()
    }

    private func liveStops(of itinerary: Itinerary) throws(Failure) -> [Itinerary.Entry] {
        var live = [Itinerary.Entry]()
        for entry in itinerary.stops {
            let row = try notebook.sql.row(
                "SELECT 1 FROM notebook WHERE account = $1 AND id = $2 AND kind = $3 AND deleted = 0",
                [.integer(notebook.account), .bytes(entry.id.bytes), .text(NotebookKind.stop.rawValue)])
            if row != nil { live.append(entry) }
        }
        return live
    }

    /// - Throws: the errors of `putNotebook`, with the fields named as these routes name them.
    func put(
        _ stop: Stop, id: NotebookID, now: Int64
    ) throws(Failure) -> NotebookItem {
        do {
            return try notebook.put(.stop(stop), id: id, now: now).item()
        } catch {
            throw error.field == "material_type" ? .invalid("materialType") : error
        }
    }
}
