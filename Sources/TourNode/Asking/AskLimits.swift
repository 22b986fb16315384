import TourModel

/// The bounds of asking that both sides know. Source: `Protocol/14-asking.md`, "Limits".
package enum AskLimits {
    /// How long an asker waits for a person, from the handshake on.
    package static let lifetime: Duration = .seconds(300)
    /// The same until the words are shown, and by digits.
    package static let exchangeTime: Duration = .seconds(30)
    /// Askers by words at a time.
    package static let openMax = 8
    /// The same from one address.
    package static let openPerAddressMax = 1
    /// Open ask links, also of those who have said nothing yet.
    package static let linksMax = 24
    /// The same from one address.
    package static let linksPerAddressMax = 3
    /// How long the code of an admission is valid, in seconds.
    static let admissionLifetime: Int64 = 600
}

/// Limits how many commitments a node answers: after each one somebody who relays knows whether the words would agree.
/// Source: `Protocol/14-asking.md`, "By words".
struct AskRate: Sendable {
    private static let ofAll = TokenBucket.Rate(atOnce: 12, perMinute: 12)
    private static let ofAddress = TokenBucket.Rate(atOnce: 3, perMinute: 3)

    private var all: TokenBucket?
    private var addresses: [String: TokenBucket] = [:]

    /// - Returns: false for one too many.
    mutating func acquire(for address: String, now: Instant) -> Bool {
        var total = all ?? TokenBucket(full: Self.ofAll, at: now)
        var own = addresses[address] ?? TokenBucket(full: Self.ofAddress, at: now)
        let isFree = total.hasOne(now: now) && own.hasOne(now: now)
        if isFree {
            total.acquire()
            own.acquire()
            // A full bucket needs no memory, and the total rate bounds the others.
            addresses = addresses.filter { (now - $0.value.at).microseconds < Self.ofAddress.refillMicroseconds }
            addresses[address] = own
        }
        all = total
        return isFree
    }
}
