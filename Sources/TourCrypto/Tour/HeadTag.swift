import TourModel

/// The tag of a head in eight bytes, by which two nodes with equal heads know whether their logs are equal. The salt is
/// new in every message and row: two events made to have one tag have it once at most.
/// Source: `Protocol/06-replication.md`, "Tags".
package enum HeadTag {
    /// H("head", salt, 8 bytes big-endian, and the event's id), the first 8 bytes.
    package static func of(_ event: EventID, salt: UInt64) -> UInt64 {
        var bytes = [UInt8]()
        bytes.reserveCapacity(8 + Bytes32.count)
        bytes.append(bigEndian: salt)
        event.raw.append(to: &bytes)
        return Hash.of(.head, bytes).prefix
    }
}
