import TourModel

/// Limits the handshakes computed for peers that know a secret, since each costs several Diffie-Hellman operations: a
/// limit for each address, so that nobody takes the places of all others, and one in total, so that many addresses cost
/// no more.
/// Source: `Protocol/03-handshake.md`, "Limits".
struct HandshakeRate: Sendable {
    private static let ofAll = TokenBucket.Rate(
        atOnce: HelloGuard.handshakesAtOnceMax, perMinute: 60 * HelloGuard.handshakesPerSecondMax)
    private static let ofAddress = TokenBucket.Rate(
        atOnce: HelloGuard.handshakesOfAddressAtOnceMax, perMinute: 60 * HelloGuard.handshakesOfAddressPerSecondMax)

    private var all: TokenBucket?
    private var addresses: [String: TokenBucket] = [:]

    /// - Returns: false for a handshake above a limit.
    mutating func acquire(for address: String, now: Instant) -> Bool {
        var total = all ?? TokenBucket(full: Self.ofAll, at: now)
        defer { all = total }
        guard total.hasOne(now: now) else { return false }
        var own = addresses[address] ?? TokenBucket(full: Self.ofAddress, at: now)
        defer { addresses[address] = own }
        guard own.hasOne(now: now) else { return false }
        own.acquire()
        total.acquire()
        forgetTheFull(now)
        return true
    }

    /// An address whose bucket is full needs no memory; the total rate bounds the others.
    private mutating func forgetTheFull(_ now: Instant) {
        guard addresses.count > Int(HelloGuard.handshakesAtOnceMax) else { return }
        // By then the address's bucket is full again.
        addresses = addresses.filter { (now - $0.value.at).microseconds < Self.ofAddress.refillMicroseconds }
    }
}
