import TourModel

/// Which datagrams are tried with which keys, so that a flood costs little and keeps no member's word away. What no key
/// opens is counted apart for senders of whom a tour's key opened something and for all others; the keys of invites,
/// which are many and whose holders may be anybody, have a budget of their own.
/// Source: `Protocol/08-datagrams.md`, "Limits".
package struct AirGuard<Sender: Hashable & Sendable>: Sendable {
    /// Unopened datagrams a second, of either kind of sender, until no more are tried. Enough for several foreign tours
    /// on one network; a flood costs a hundredth of a core and no more.
    package static var unopenedMax: Int { 2_000 }
    /// Senders known to be members: a tour's, over IPv4 and IPv6.
    package static var membersMax: Int { 2 * Limits.membersMax }
    /// What each try of an invite's key takes of the budget, and how much may be taken at once: 2,000 tries a second,
    /// and one question among all the invites that are answered at any moment.
    private static var tryTime: Duration { .microseconds(500) }
    private static var tryBurst: Duration { .milliseconds(256) }

    private var second: Int64 = 0
    private var ofMembers = 0
    private var ofStrangers = 0
    private var members = LastSeen<Sender>(limit: membersMax)
    /// The budget of tries is used up to this time.
    private var triedThrough = Instant(microseconds: 0)

    package init() {}

    /// Whether a datagram of this sender is tried at all.
    package mutating func admits(_ sender: Sender, now: Instant) -> Bool {
        let second = now.microseconds / 1_000_000
        if second != self.second {
            self.second = second
            ofMembers = 0
            ofStrangers = 0
        }
        return (members.contains(sender) ? ofMembers : ofStrangers) < Self.unopenedMax
    }

    /// A tour's key opened a datagram of this sender.
    package mutating func noteMember(_ sender: Sender) { members.insert(sender) }

    /// No key opened it, or it was not tried with all.
    package mutating func noteUnopened(_ sender: Sender) {
        if members.contains(sender) { ofMembers += 1 } else { ofStrangers += 1 }
    }

    /// Whether there is budget to try the keys of invites.
    package func triesInvites(now: Instant) -> Bool { triedThrough <= now }

    /// So many of them were tried.
    package mutating func noteTries(_ count: Int, now: Instant) {
        let unused = Instant(microseconds: now.microseconds - Self.tryBurst.microseconds)
        triedThrough = max(triedThrough, unused) + Self.tryTime * count
    }
}
