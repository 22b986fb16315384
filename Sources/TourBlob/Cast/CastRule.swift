import TourModel

/// Whether a blob is cast or goes over links. Source: `Protocol/11-blobs.md`, "Multicast session".
package enum CastRule {
    /// How much faster a network carries bytes to one station than to all: Wi-Fi sends multicast at its lowest rate,
    /// without acknowledgement, 65 Mbit/s against 6.
    private static let rateRatio = 11

    /// Whether a cast pays off. Over links each copy crosses the network about once, at the unicast rate Ru; a cast
    /// crosses it twice on Wi-Fi, from the sender and to all, the second time at the multicast rate Rm. So it pays off
    /// for more than 0.5 + Ru / (2 · Rm) members: for more than 6. Loss favours neither: links have it too, and TCP
    /// suffers more from it.
    /// - Parameter wanting: the members that lack part of the blob, on a segment where datagrams of this node are
    ///   proven to reach them.
    package static func wantsCast(wanting: Int, of shape: BlobShape) -> Bool {
        guard shape.size >= Self.bytesMin, ErasureCode.isAvailable else { return false }
        return 2 * wanting > 1 + rateRatio
    }

    /// The smallest file that is cast: many would miss the whole of a smaller one without knowing.
    private static let bytesMin: UInt64 = 64 * 1024
}
