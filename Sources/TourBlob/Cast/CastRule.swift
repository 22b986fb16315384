import TourModel

/// Whether a blob is cast or goes by links. Source: `Protocol/11-blobs.md`, "Multicast session".
package enum CastRule {
    /// How much faster a network carries bytes to one than to all: Wi-Fi sends to all at its lowest rate, without
    /// acknowledgement, 65 Mbit/s against 6.
    private static let rateRatio = 11

    /// By links each copy crosses the network about once, at the rate for one; a cast crosses it twice on Wi-Fi, from
    /// the sender and to all, at the rate for all the second time. So it pays for more than 0.5 + (1 + f) · Ru / (2 ·
    /// Rm) members, where f is sent again: for more than 6 where nothing is lost.
    /// - Parameter wanting: members who lack something of the blob, on a segment where datagrams of this node are
    ///   proven to arrive at them.
    /// - Parameter lossPerMille: of a thousand datagrams, how many they miss.
    package static func wantsCast(wanting: Int, of shape: BlobShape, lossPerMille: Int) -> Bool {
        guard shape.size >= Limits.castBytesMin, ErasureCode.isAvailable else { return false }
        return 2_000 * wanting > 1_000 + (1_000 + lossPerMille) * rateRatio
    }
}
