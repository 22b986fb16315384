import TourModel

/// Remembers hello salts, so that a replayed hello costs a look-up and no Diffie-Hellman; and limits the handshakes.
/// Holds at most `HelloGuard.saltsMax` salts, the newest, each for `HelloGuard.saltLifetime`.
package struct HelloGuard: Sendable {
    /// The handshakes computed for peers that know a secret, about 0.45 ms each: at once and in a second, in all and
    /// for one address, which many nodes may share.
    package static let handshakesAtOnceMax: Int64 = 128
    /// In a second, in all.
    package static let handshakesPerSecondMax: Int64 = 64
    /// At once, from one address.
    package static let handshakesOfAddressAtOnceMax: Int64 = 32
    /// In a second, from one address.
    package static let handshakesOfAddressPerSecondMax: Int64 = 20
    /// The most hello salts remembered against replay.
    package static let saltsMax = 4_096
    /// How long a hello salt is remembered.
    package static let saltLifetime: Duration = .seconds(300)

    private var seen: Set<[UInt8]> = []
    private var order: [(salt: [UInt8], at: Instant)] = []
    private var oldest = 0
    /// Bounds the handshakes with peers that know a secret of a tour or of an invite, by their addresses: each costs
    /// several Diffie-Hellman operations. Source: `Protocol/03-handshake.md`, "Limits".
    var rate = KeyedRate<String>(
        ofAll: TokenBucket.Rate(atOnce: handshakesAtOnceMax, perMinute: 60 * handshakesPerSecondMax),
        ofEach: TokenBucket.Rate(atOnce: handshakesOfAddressAtOnceMax, perMinute: 60 * handshakesOfAddressPerSecondMax))
    /// The same for those who ask to join, whom nothing holds back: they use up nobody else's share.
    /// Source: `Protocol/14-asking.md`, "Limits".
    var askerRate = KeyedRate<String>(
        ofAll: TokenBucket.Rate(atOnce: 8, perMinute: 60 * 4), ofEach: TokenBucket.Rate(atOnce: 3, perMinute: 60 * 2))

    package init() {}

    /// - Returns: false when the salt was seen before.
    package mutating func isFresh(_ salt: ArraySlice<UInt8>, now: Instant) -> Bool {
        while oldest < order.count,
            now - order[oldest].at > Self.saltLifetime || order.count - oldest >= Self.saltsMax
        {
            seen.remove(order[oldest].salt)
            oldest += 1
        }
        if oldest > Self.saltsMax {
            order.removeFirst(oldest)
            oldest = 0
        }
        let salt = Array(salt)
        guard seen.insert(salt).inserted else { return false }
        order.append((salt, now))
        return true
    }
}
