import TourModel

/// Limits the handshakes computed for peers that know a secret, since each costs several Diffie-Hellman operations: a
/// limit for each address, so that nobody takes the places of all others, and one in total, so that many addresses cost
/// no more.
/// Source: `Protocol/03-handshake.md`, "Limits".
struct HandshakeRate: Sendable {
    /// For peers that know a secret of a tour or of an invite.
    static let ofInsiders = HandshakeRate(
        ofAll: TokenBucket.Rate(
            atOnce: HelloGuard.handshakesAtOnceMax, perMinute: 60 * HelloGuard.handshakesPerSecondMax),
        ofAddress: TokenBucket.Rate(
            atOnce: HelloGuard.handshakesOfAddressAtOnceMax, perMinute: 60 * HelloGuard.handshakesOfAddressPerSecondMax)
    )
    /// For those who ask to join, whom nothing holds back: they use up nobody else's share.
    /// Source: `Protocol/14-asking.md`, "Limits".
    static let ofAskers = HandshakeRate(
        ofAll: TokenBucket.Rate(atOnce: 8, perMinute: 60 * 4), ofAddress: TokenBucket.Rate(atOnce: 3, perMinute: 60 * 2)
    )

    private let ofAll: TokenBucket.Rate
    private let ofAddress: TokenBucket.Rate
    private var all: TokenBucket?
    private var addresses: [String: TokenBucket] = [:]

    private init(ofAll: TokenBucket.Rate, ofAddress: TokenBucket.Rate) {
        self.ofAll = ofAll
        self.ofAddress = ofAddress
    }

    /// - Returns: false for a handshake above a limit.
    mutating func acquire(for address: String, now: Instant) -> Bool {
        var total = all ?? TokenBucket(full: ofAll, at: now)
        defer { all = total }
        guard total.hasOne(now: now) else { return false }
        var own = addresses[address] ?? TokenBucket(full: ofAddress, at: now)
        defer { addresses[address] = own }
        guard own.hasOne(now: now) else { return false }
        own.acquire()
        total.acquire()
        forgetTheFull(now)
        return true
    }

    /// An address whose bucket is full needs no memory; the total rate bounds the others.
    private mutating func forgetTheFull(_ now: Instant) {
        guard addresses.count > Int(ofAll.atOnce) else { return }
        // By then the address's bucket is full again.
        addresses = addresses.filter { (now - $0.value.at).microseconds < ofAddress.refillMicroseconds }
    }
}
