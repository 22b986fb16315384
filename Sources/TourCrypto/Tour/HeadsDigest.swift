import TourModel

/// A whole frontier in eight bytes: a node with the same heads knows from it which are meant. It proves nothing; the
/// claim that carries it is signed. Source: `Protocol/06-replication.md`, "What a row lists".
package enum HeadsDigest {
    /// H("heads", author's prefix and sequence, 8 bytes big-endian each, ordered by prefix), the first 8 bytes.
    /// - Parameter heads: at most one for each author.
    package static func of(_ heads: [(prefix: UInt64, sequence: UInt64)]) -> UInt64 {
        var bytes = [UInt8]()
        bytes.reserveCapacity(heads.count * 16)
        for head in heads.sorted(by: { $0.prefix < $1.prefix }) {
            bytes.append(bigEndian: head.prefix)
            bytes.append(bigEndian: head.sequence)
        }
        return Hash.of(.heads, bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
