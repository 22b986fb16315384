import TourModel

/// A whole frontier in eight bytes: a node with the same heads, and the same events there, knows from it which are
/// meant. It proves nothing; the claim that carries it is signed.
/// Source: `Protocol/06-replication.md`, "What a row lists".
package enum HeadsDigest {
    /// H("heads", author's prefix and sequence, 8 bytes big-endian each, and the event's id, ordered by prefix), the
    /// first 8 bytes.
    /// - Parameter heads: at most one for each author.
    package static func of(_ heads: [(prefix: UInt64, sequence: UInt64, event: EventID)]) -> UInt64 {
        var bytes = [UInt8]()
        bytes.reserveCapacity(heads.count * (16 + Bytes32.count))
        for head in heads.sorted(by: { $0.prefix < $1.prefix }) {
            bytes.append(bigEndian: head.prefix)
            bytes.append(bigEndian: head.sequence)
            head.event.raw.append(to: &bytes)
        }
        return Hash.of(.heads, bytes).prefix
    }
}
