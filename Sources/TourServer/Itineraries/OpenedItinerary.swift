import TourModel
import TourNotebook

/// An itinerary with the stops that are here. A stop that its device has not sent yet is skipped, so that positions
/// have no gaps.
struct OpenedItinerary: Sendable {
    /// A stop, and its entry in the itinerary.
    struct ListedStop: Sendable {
        let entry: Itinerary.Entry
        let item: NotebookItem
        /// The content of the item, without its note where the room is used up.
        let stop: Stop
    }

    let item: NotebookItem
    let content: Itinerary
    let stops: [ListedStop]
    /// Whether some notes were left out because all of them exceed the room of one answer.
    let isCut: Bool
}

extension SQL {
    /// - Parameter room: the bytes left for contents; this itinerary's bytes are subtracted.
    /// - Throws: `internal` for an item that is no itinerary.
    func open(_ item: NotebookItem, of account: Int64, room: inout Int) throws(Failure) -> OpenedItinerary {
        let content = try item.itinerary()
        room -= content.title.utf8.count + (content.description?.utf8.count ?? 0)
        var stops = [OpenedItinerary.ListedStop]()
        var isCut = false
        for entry in content.stops {
            guard let row = try notebookRow(entry.id, of: account), !row.isDeleted, row.kind == .stop else {
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
    func open(itinerary name: String, of account: Int64, room: Int) throws(Failure) -> OpenedItinerary {
        var room = room
        return try open(try owned(name, .itinerary, of: account), of: account, room: &room)
    }
}

extension NotebookItem {
    /// - Throws: `internal` for an item of another kind.
    func itinerary() throws(Failure) -> Itinerary {
        guard case .itinerary(let itinerary) = content else {
            throw Failure(.internalError, cause: "an itinerary is of another kind")
        }
        return itinerary
    }
}
