import TourModel

/// How many newcomers this node lets in: in all, by one code, and from one address. Whoever has a code makes up as many
/// devices as it likes, and each takes a place in the tour; a group at a door is not kept waiting for long.
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
    /// - Returns: false for one too many: it comes again later.
    package mutating func take(_ invite: SigningKey, from address: String, now: Instant) -> Bool {
        var total = all ?? TokenBucket(full: Self.ofAll, at: now)
        var own = invites[invite] ?? TokenBucket(full: Self.ofInvite, at: now)
        var one = addresses[address] ?? TokenBucket(full: Self.ofAddress, at: now)
        // Each is filled, whether the others have one or not.
        let (hasTotal, hasOwn, hasOne) = (total.hasOne(now: now), own.hasOne(now: now), one.hasOne(now: now))
        let isTaken = hasTotal && hasOwn && hasOne
        if isTaken {
            total.take()
            own.take()
            one.take()
        }
        all = total
        forgetTheFull(now)
        (invites[invite], addresses[address]) = (own, one)
        return isTaken
    }

    /// What could take as many as a new one needs no memory. Of addresses nobody has more than the network gives, and
    /// the handshakes of all of them have a rate; of invites there are no more than the roster has.
    private mutating func forgetTheFull(_ now: Instant) {
        guard invites.count + addresses.count > Self.keptMax else { return }
        invites = invites.filter { (now - $0.value.at).microseconds < Self.ofInvite.refillMicroseconds }
        addresses = addresses.filter { (now - $0.value.at).microseconds < Self.ofAddress.refillMicroseconds }
    }

    private static let keptMax = 256
}
