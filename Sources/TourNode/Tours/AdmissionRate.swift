import TourModel

/// Limits how many newcomers this node admits: in total, by one code, and from one address. A holder of a code can
/// make up any number of devices, each of which would occupy a place in the tour; yet a group at a door does not wait
/// for long.
/// Source: `Protocol/07-joining.md`, "Limits".
package struct AdmissionRate: Sendable {
    private static let ofAll = TokenBucket.Rate(
        atOnce: Limits.admissionsAtOnceMax, perMinute: Limits.admissionsPerMinuteMax)
    private static let ofInvite = TokenBucket.Rate(
        atOnce: Limits.admissionsOfInviteAtOnceMax, perMinute: Limits.admissionsOfInvitePerMinuteMax)
    private static let ofAddress = TokenBucket.Rate(
        atOnce: Limits.admissionsOfAddressAtOnceMax, perMinute: Limits.admissionsOfAddressPerMinuteMax)

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
