import TourModel

/// Limits how many newcomers this node admits: in total, by one code, and from one address. A holder of a code can
/// make up any number of devices, each of which would occupy a place in the tour; yet a group at a door does not wait
/// for long.
/// Source: `Protocol/07-joining.md`, "Limits".
package struct AdmissionRate: Sendable {
    /// The newcomers that one node admits at once and in a minute: in all, by one code, and from one address, which a
    /// family may share. So 200 that come to one node within ten minutes do not wait.
    private static let atOnceMax: Int64 = 60
    /// In a minute, in all.
    private static let perMinuteMax: Int64 = 30
    /// At once, by one code.
    package static let ofInviteAtOnceMax: Int64 = 40
    /// In a minute, by one code.
    package static let ofInvitePerMinuteMax: Int64 = 20
    /// At once, from one address.
    package static let ofAddressAtOnceMax: Int64 = 20
    /// In a minute, from one address.
    package static let ofAddressPerMinuteMax: Int64 = 6

    private static let ofAll = TokenBucket.Rate(
        atOnce: Self.atOnceMax, perMinute: Self.perMinuteMax)
    private static let ofInvite = TokenBucket.Rate(
        atOnce: Self.ofInviteAtOnceMax, perMinute: Self.ofInvitePerMinuteMax)
    private static let ofAddress = TokenBucket.Rate(
        atOnce: Self.ofAddressAtOnceMax, perMinute: Self.ofAddressPerMinuteMax)

    private var all: TokenBucket?
    private var invites: [SigningKey: TokenBucket] = [:]
    private var addresses: [String: TokenBucket] = [:]

    package init() {}

    /// - Parameter address: numeric.
    /// - Returns: false for one too many, which should ask again later.
    package mutating func acquire(for invite: SigningKey, from address: String, now: Instant) -> Bool {
        var total = all ?? TokenBucket(full: Self.ofAll, at: now)
        var own = invites[invite] ?? TokenBucket(full: Self.ofInvite, at: now)
        var one = addresses[address] ?? TokenBucket(full: Self.ofAddress, at: now)
        // All three refill, whichever of them has room.
        let (hasTotal, hasOwn, hasOne) = (total.hasOne(now: now), own.hasOne(now: now), one.hasOne(now: now))
        let isTaken = hasTotal && hasOwn && hasOne
        if isTaken {
            total.acquire()
            own.acquire()
            one.acquire()
        }
        all = total
        forgetTheFull(now)
        (invites[invite], addresses[address]) = (own, one)
        return isTaken
    }

    /// A full bucket needs no memory. An attacker has no more addresses than its network gives, and handshakes have a
    /// rate over all of them; the roster limits the number of invites.
    private mutating func forgetTheFull(_ now: Instant) {
        guard invites.count + addresses.count > Self.keptMax else { return }
        invites = invites.filter { (now - $0.value.at).microseconds < Self.ofInvite.refillMicroseconds }
        addresses = addresses.filter { (now - $0.value.at).microseconds < Self.ofAddress.refillMicroseconds }
    }

    private static let keptMax = 256
}
