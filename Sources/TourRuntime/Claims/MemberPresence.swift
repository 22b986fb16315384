import TourGossip
import TourModel

/// What shows that members are there: their signs of life, their clocks, and links to them that were lost.
package struct MemberPresence: Sendable {
    /// Each member's last sign of life, and its distance in links.
    package private(set) var signs: SignsOfLife
    private var clocks = MemberClocks()
    /// When a member's link was lost; it counts as present again only after a later sign of life.
    private var lostAt: [MemberID: Instant] = [:]

    package init(_ signs: SignsOfLife) { self.signs = signs }

    /// Whether the member's last sign of life is recent, and none of an ended link.
    func isPresent(_ member: MemberID, now: Instant) -> Bool {
        Overlay.isPresent(seenAt: signs.at(member), lostAt: lostAt[member], now: now)
    }

    /// The time for events that we write, in milliseconds since 1970.
    /// - Parameter neighbours: the linked members.
    func wallMilliseconds(at time: ClockReading, beside neighbours: some Sequence<MemberID>) -> Int64 {
        NodeTime.corrected(time.wallMilliseconds, others: clocks.now(of: Set(neighbours), at: time.now))
    }

    /// - Parameter witnessed: the clocks of all neighbours count, not the author's alone.
    func isRecent(
        _ clock: LogicalClock, by author: MemberID, at time: ClockReading, beside neighbours: some Sequence<MemberID>,
        witnessed: Bool
    ) -> Bool {
        let witnesses = (witnessed ? Set(neighbours) : []).union([author])
        let own = [time.wallMilliseconds, wallMilliseconds(at: time, beside: neighbours)]
        return clock.isRecent(by: own + clocks.now(of: witnesses, at: time.now))
    }

    /// A message of the member itself arrived, on a link to it.
    mutating func record(_ member: MemberID, at time: ClockReading) {
        signs.record(member, now: time.now, wall: time.wallMicroseconds)
    }

    /// The member's newest row arrived.
    mutating func recordRow(of member: MemberID, counter: UInt64, hops: Int, at time: ClockReading) {
        signs.claimed(member, counter: counter, hops: hops, now: time.now, wall: time.wallMicroseconds)
        clocks.record(member, microseconds: counter, now: time.now)
    }

    /// A link to the member is open.
    mutating func recordLink(to member: MemberID) { lostAt[member] = nil }

    /// The link to the member was lost.
    package mutating func recordLoss(of member: MemberID, now: Instant) { lostAt[member] = now }

    /// The changes since the last call.
    package mutating func drainUnsaved(at time: ClockReading) -> [SignRecord] {
        signs.drainUnsaved(now: time.now, wall: time.wallMicroseconds)
    }
}

extension LogicalClock {
    /// Whether one of these clocks, in milliseconds since 1970, is less than a day from this one: an alarm or a roll
    /// call is not over while one of those that count says so. Source: `Protocol/05-events.md`, "Alarms".
    package func isRecent(by clocks: some Sequence<Int64>) -> Bool {
        clocks.contains { abs($0 - milliseconds) < Limits.alarmLifetimeMilliseconds }
    }
}
