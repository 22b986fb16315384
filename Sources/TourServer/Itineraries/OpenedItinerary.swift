import TourModel
import TourNotebook

/// An itinerary with the stops that are here. A stop that its device has not sent yet is skipped, so that positions
/// have no gaps.
struct OpenedItinerary: Sendable {
    struct Place: Sendable {
        let entry: Itinerary.Entry
        let stored: StoredItem
        let stop: Stop
    }

    let stored: StoredItem
    let content: Itinerary
    let places: [Place]
    /// Whether some notes were left out because all of them exceed the room of one answer.
    let isCut: Bool
}

extension SQL {
    /// - Parameter room: the bytes left for contents; this itinerary's bytes are subtracted.
    /// - Throws: `internal` for an item that is no itinerary.
    func open(_ stored: StoredItem, of account: Int64, room: inout Int) throws(Failure) -> OpenedItinerary {
        let content = try stored.itinerary()
        room -= content.title.utf8.count + (content.description?.utf8.count ?? 0)
        var places = [OpenedItinerary.Place]()
        var isCut = false
        for entry in content.stops {
            guard let row = try notebookRow(entry.id, of: account), !row.isDeleted, row.kind == .stop else {
                continue
            }
            let held = try row.stored()
            guard case .stop(var stop) = held.item.content else { continue }
            room -= row.body.utf8.count
            if room < 0, stop.note != nil {
                stop.note = nil
                isCut = true
            }
            places.append(OpenedItinerary.Place(entry: entry, stored: held, stop: stop))
        }
        return OpenedItinerary(stored: stored, content: content, places: places, isCut: isCut)
    }

    /// - Throws: `notFound`; `forbidden`; `internal`.
    func open(itinerary name: String, of account: Int64, room: Int) throws(Failure) -> OpenedItinerary {
        var room = room
        return try open(try owned(name, .itinerary, of: account), of: account, room: &room)
    }
}

extension StoredItem {
    /// - Throws: `internal` for an item of another kind.
    func itinerary() throws(Failure) -> Itinerary {
        guard case .itinerary(let itinerary) = item.content else {
            throw Failure(.internalError, cause: "an itinerary is of another kind")
        }
        return itinerary
    }
}
