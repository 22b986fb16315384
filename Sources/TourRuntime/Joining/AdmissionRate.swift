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

    private var invites = KeyedRate<SigningKey>(
        ofAll: TokenBucket.Rate(atOnce: atOnceMax, perMinute: perMinuteMax),
        ofEach: TokenBucket.Rate(atOnce: ofInviteAtOnceMax, perMinute: ofInvitePerMinuteMax))
    private var addresses = KeyedRate<String>(
        ofEach: TokenBucket.Rate(atOnce: ofAddressAtOnceMax, perMinute: ofAddressPerMinuteMax))

    package init() {}

    /// - Parameter address: numeric.
    /// - Returns: false for one too many, which should ask again later.
    package mutating func acquire(for invite: SigningKey, from address: String, now: Instant) -> Bool {
        guard invites.hasOne(invite, now: now), addresses.hasOne(address, now: now) else { return false }
        invites.count(invite, now: now)
        addresses.count(address, now: now)
        return true
    }
}
