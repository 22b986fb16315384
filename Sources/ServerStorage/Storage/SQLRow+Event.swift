import ServerBase
import TourModel
import TourWire

extension SQLRow {
    /// - Throws: `internal` for anything but 32 bytes.
    package func identifier<ID: Identifier>(_ column: Int) throws(Failure) -> ID {
        guard let id = ID(try bytes(column)) else {
            throw Failure(.internalError, cause: "column \(column) of a row holds no id")
        }
        return id
    }

    /// A stored event.
    /// - Throws: `internal` for bytes that are no event.
    package func event(_ column: Int, id: Int) throws(Failure) -> Event {
        let bytes = try bytes(column)
        guard bytes.count >= Event.bodyOffset, let header = try? EventHeader(decoding: bytes[..<EventHeader.length])
        else { throw Failure(.internalError, cause: "a stored event is none") }
        return Event(header: header, id: try identifier(id), bytes: bytes)
    }
}
