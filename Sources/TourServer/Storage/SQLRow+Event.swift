import TourModel
import TourWire

extension SQLRow {
    /// A stored event.
    /// - Throws: `internal` for bytes that are no event.
    func event(_ column: Int, id: Int) throws(Failure) -> Event {
        let bytes = try bytes(column)
        guard bytes.count >= Event.bodyOffset, let header = try? EventHeader(decoding: bytes[..<EventHeader.length])
        else { throw Failure(.internalError, cause: "a stored event is none") }
        return Event(header: header, id: try identifier(id), bytes: bytes)
    }
}
