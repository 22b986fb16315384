import TourModel

/// Whether a blob is cast or goes by links. Source: `Protocol/11-blobs.md`, "Multicast session".
package enum CastRule {
    /// How much faster a network carries bytes to one than to all: Wi-Fi sends to all at its lowest rate, without
    /// acknowledgement, 65 Mbit/s against 6.
    private static let rateRatio = 11

    /// By links each copy crosses the network about once, at the rate for one; a cast crosses it twice on Wi-Fi, from
    /// the sender and to all, at the rate for all the second time. So it pays for more than 0.5 + Ru / (2 · Rm)
    /// members: for more than 6. What is lost speaks against neither: links lose it too, and TCP takes it worse.
    /// - Parameter wanting: members who lack something of the blob, on a segment where datagrams of this node are
    ///   proven to arrive at them.
    package static func wantsCast(wanting: Int, of shape: BlobShape) -> Bool {
        guard shape.size >= Limits.castBytesMin, ErasureCode.isAvailable else { return false }
        return 2 * wanting > 1 + rateRatio
    }
}
