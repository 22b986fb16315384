import TourModel

/// Decides which datagrams are tried with which keys, so that a flood costs little and suppresses no member's
/// datagrams. Unopened datagrams are counted separately for known members (senders of whom a tour's key has opened
/// something) and for all others. Tries with the keys of invites have a budget of their own, since there are many,
/// and anybody may hold one.
/// Source: `Protocol/08-datagrams.md`, "Limits".
package struct DatagramFilter<Sender: Hashable & Sendable>: Sendable {
    /// Unopened datagrams a second, for each of the two kinds of sender, after which no more are tried. Enough for
    /// several foreign tours on one network; a flood costs at most a hundredth of a core.
    package static var unopenedMax: Int { 2_000 }
    /// Senders remembered as members: one tour's, over IPv4 and IPv6.
    package static var membersMax: Int { 2 * Limits.membersMax }
    /// How much of the budget one try of an invite's key uses, and how much may be used at once: 2,000 tries a
    /// second, and at any moment enough for one question tried against all the invites that we answer.
    private static var tryTime: Duration { .microseconds(500) }
    private static var tryBurst: Duration { .milliseconds(256) }

    private var second: Int64 = 0
    private var ofMembers = 0
    private var ofStrangers = 0
    private var members = LastSeen<Sender>(limit: membersMax)
    /// Tries have used the budget up to this time.
    private var triedThrough = Instant(microseconds: 0)

    package init() {}

    /// Whether to try a datagram of this sender at all.
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
    package mutating func recordMember(_ sender: Sender) { members.insert(sender) }

    /// No key opened a datagram of this sender, or the budget did not allow trying all keys.
    package mutating func recordUnopened(from sender: Sender) {
        if members.contains(sender) { ofMembers += 1 } else { ofStrangers += 1 }
    }

    /// Whether the budget allows trying the keys of invites.
    package func triesInvites(now: Instant) -> Bool { triedThrough <= now }

    /// Charges the budget for this many tries.
    package mutating func recordTries(_ count: Int, now: Instant) {
        let unused = Instant(microseconds: now.microseconds - Self.tryBurst.microseconds)
        triedThrough = max(triedThrough, unused) + Self.tryTime * count
    }
}
