import Foundation
import ServerBase
import ServerRequests
import TourModel
import TourNotebook

// Stops and itineraries of a list, as `StopBody` and `ItineraryBody` would be encoded, without decoding each stop: a
// list may have hundreds of thousands.

extension NotebookRow {
    /// - Throws: `internal` for a row that is no stop.
    func stopJSON(user: String) throws(Failure) -> String {
        // The stored keys are sorted: the time, where there is one, then the kind.
        var rest = body.dropFirst()
        var start = "{"
        if rest.hasPrefix(Self.timeKey), let end = rest.dropFirst(Self.timeKey.count).firstIndex(of: "Z") {
            start += rest[..<end] + ".000Z\","
            rest = rest[end...].dropFirst(3)
        }
        guard rest.hasPrefix(Self.kindKey) else { return try stopJSON(try item(), user: user) }
        rest = rest.dropFirst(Self.kindKey.count).dropLast()
        let times = (MillisecondTime(seconds: created).text, MillisecondTime(seconds: updated).text)
        return #"\#(start)"materialType":\#(rest),"createdAt":"\#(times.0)","id":"\#(ResourceName.stop(id))","#
            + #""isDeleted":false,"updatedAt":"\#(times.1)","userId":"\#(user)"}"#
    }

    private static let timeKey = #""at":""#
    private static let kindKey = #""material_type":"#

    /// The stop without its note, for which an answer has no room.
    fileprivate func stopJSONWithoutNote(user: String) throws(Failure) -> String {
        var item = try item()
        guard case .stop(var stop) = item.content else { return try stopJSON(item, user: user) }
        stop.note = nil
        item.content = .stop(stop)
        return try stopJSON(item, user: user)
    }

    private func stopJSON(_ item: NotebookItem, user: String) throws(Failure) -> String {
        try JSONForm.text(of: try StopBody(item, user: user))
    }
}

extension ItineraryRows {
    /// - Parameter room: see `open`.
    /// - Throws: `internal` for a row that is no itinerary.
    func itineraryJSON(_ row: NotebookRow, user: String, room: inout Int) throws(Failure) -> String {
        let item = try row.item()
        let content = try item.itinerary()
        room -= content.title.utf8.count + (content.description?.utf8.count ?? 0)
        var stops = [String]()
        for entry in content.stops {
            guard let stop = try notebook.row(entry.id), !stop.isDeleted, stop.kind == .stop else { continue }
            room -= stop.body.utf8.count
            let text = try room < 0 ? stop.stopJSONWithoutNote(user: user) : stop.stopJSON(user: user)
            let added = MillisecondTime(seconds: entry.addedAt).text
            let name = ResourceName.stop(entry.id)
            stops.append(#"{"addedAt":"\#(added)","position":\#(stops.count),"sample":\#(text),"sampleId":"\#(name)"}"#)
        }
        let opened = OpenedItinerary(item: item, content: content, stops: [], isCut: false)
        let empty = try JSONForm.text(of: ItineraryBody(opened, user: user))
        // No text has this key: a quote in one has a backslash before it.
        guard let list = empty.range(of: #""samples":["#, options: .literal) else {
            throw Failure(.internalError, cause: "an itinerary has no list")
        }
        return empty[..<list.upperBound] + stops.joined(separator: ",") + empty[list.upperBound...]
    }
}

extension JSONForm {
    /// - Throws: `internal` for a value without a JSON form.
    fileprivate static func text(of value: some Encodable) throws(Failure) -> String {
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw Failure(.internalError, cause: "an answer has no JSON")
        }
    }
}
