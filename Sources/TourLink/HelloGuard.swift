import TourModel

/// Remembers hello salts, so that a replayed hello costs a look-up and no Diffie-Hellman; and limits the handshakes.
/// Holds at most `Limits.helloSaltsMax` salts, the newest, each for `Limits.helloSaltLifetime`.
package struct HelloGuard: Sendable {
    private var seen: Set<[UInt8]> = []
    private var order: [(salt: [UInt8], at: Instant)] = []
    private var oldest = 0
    var rate = HandshakeRate()

    package init() {}

    /// - Returns: false when the salt was seen before.
    package mutating func isFresh(_ salt: ArraySlice<UInt8>, now: Instant) -> Bool {
        while oldest < order.count,
            now - order[oldest].at > Limits.helloSaltLifetime || order.count - oldest >= Limits.helloSaltsMax
        {
            seen.remove(order[oldest].salt)
            oldest += 1
        }
        if oldest > Limits.helloSaltsMax {
            order.removeFirst(oldest)
            oldest = 0
        }
        let salt = Array(salt)
        guard seen.insert(salt).inserted else { return false }
        order.append((salt, now))
        return true
    }
}
