import TourModel

/// A whole frontier in eight bytes: whoever has the same heads knows from it all that are meant. It proves nothing; a
/// claim that carries it is signed. Source: `Protocol/06-replication.md`, "What a row lists".
package enum HeadsDigest {
    /// H("heads", author's prefix and sequence, 8 bytes big-endian each, the authors in the order of their prefixes),
    /// the first 8 bytes.
    /// - Parameter heads: no author twice.
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
