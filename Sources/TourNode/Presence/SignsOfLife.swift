import TourModel
import TourStore

/// When each member of a tour was there last: what this run heard, and what an earlier one kept. Only what this run
/// heard makes anybody reachable.
package struct SignsOfLife: Sendable {
    private struct Heard {
        var at: Instant
        /// Microseconds since 1970, as the clock showed then.
        var wall: Int64
        var hops: Int
    }

    private struct Row {
        /// That of the newest.
        var counter: UInt64
        /// When it came, and when the first after a silence did, in this run.
        var came: (last: Instant, first: Instant)?
    }

    /// What a clock may be off from one moment to another of the same run, before it counts as set meanwhile.
    private static let driftMax: Int64 = 60_000_000
    /// For so long neighbours may pass on what they kept of members who are away, after they and we have met.
    private static let meetingTime: Duration = .seconds(5)

    private let own: MemberID
    private var heard: [MemberID: Heard] = [:]
    /// Of whom this run heard nothing: when it was there, in microseconds since 1970.
    private var earlier: [MemberID: Int64] = [:]
    private var rows: [MemberID: Row] = [:]
    private var unsaved: Set<MemberID> = []

    package init(own: MemberID, kept: [SignRecord] = []) {
        self.own = own
        for record in kept where record.member != own {
            earlier[record.member] = record.seenAt
            rows[record.member] = Row(counter: record.counter)
        }
    }

    /// Whether no newer row of the member was heard.
    package func isNewest(_ counter: UInt64, of member: MemberID) -> Bool { counter >= rows[member]?.counter ?? 0 }

    /// The member itself spoke, on a link to it.
    package mutating func heard(_ member: MemberID, now: Instant, wall: Int64) {
        guard member != own else { return }
        heard[member] = Heard(at: now, wall: wall, hops: 0)
        unsaved.insert(member)
    }

    /// A row of the member came, newer than those that are at hand.
    /// - Parameter counter: the row's, which is when it was signed, in microseconds since 1970 by the member's clock.
    /// - Parameter hops: links it crossed; 1: the member itself said it.
    package mutating func claimed(_ member: MemberID, counter: UInt64, hops: Int, now: Instant, wall: Int64) {
        let known = rows[member]
        // An earlier run heard what is no newer.
        guard member != own, counter > known?.counter ?? 0 else { return }
        let first = known?.came.flatMap { now - $0.last < Limits.presenceLifetime ? $0.first : nil } ?? now
        rows[member] = Row(counter: counter, came: (now, first))
        unsaved.insert(member)
        guard hops > 1, now - first < Self.meetingTime, let signedAt = Self.past(counter, wall) else {
            heard[member] = Heard(at: now, wall: wall, hops: hops)
            return
        }
        // Somebody passes on what was said long ago: the member was there then, and need not be now.
        if signedAt > seenAt(member, now: now, wall: wall) ?? .min {
            let at = Instant(microseconds: now.microseconds - (wall - signedAt))
            heard[member] = Heard(at: at, wall: signedAt, hops: hops)
        }
    }

    /// When a row was signed, if that is too long ago to say that its member is there. A clock that cannot be right
    /// says nothing.
    private static func past(_ counter: UInt64, _ wall: Int64) -> Int64? {
        let signedAt = Int64(clamping: counter)
        guard signedAt >= NodeTime.builtAt * 1_000, signedAt <= wall else { return nil }
        return wall - signedAt >= Limits.presenceLifetime.microseconds ? signedAt : nil
    }

    /// When this run heard of the member last.
    package func at(_ member: MemberID) -> Instant? { heard[member]?.at }

    /// Links between us and the member when this run heard of it last.
    package func hops(_ member: MemberID) -> Int? { heard[member]?.hops }

    /// When the member was there last, in microseconds since 1970 by the clock as it is now; nil when that is not
    /// known, also since the clock is set to a time before.
    package func seenAt(_ member: MemberID, now: Instant, wall: Int64) -> Int64? {
        guard let heard = heard[member] else {
            return earlier[member].flatMap { $0 <= wall ? $0 : nil }
        }
        let counted = wall - (now - heard.at).microseconds
        // Whole seconds: it would differ with every look otherwise.
        return abs(counted - heard.wall) <= Self.driftMax ? heard.wall : counted - counted % 1_000_000
    }

    /// What changed since it was taken last.
    package mutating func takeUnsaved(now: Instant, wall: Int64) -> [SignRecord] {
        defer { unsaved = [] }
        return unsaved.sorted().compactMap { member in
            seenAt(member, now: now, wall: wall).map {
                SignRecord(member: member, seenAt: $0, counter: rows[member]?.counter ?? 0)
            }
        }
    }
}
