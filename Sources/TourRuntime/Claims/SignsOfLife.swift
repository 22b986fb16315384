import TourModel

/// When each member of a tour last gave a sign of life: signs received in this run, and those kept from earlier runs.
/// Only the former make a member reachable.
package struct SignsOfLife: Sendable {
    private struct Heard {
        var at: Instant
        /// Microseconds since 1970, by the clock as it was then.
        var wall: Int64
        var hops: Int
    }

    private struct Row {
        /// The counter of the newest row.
        var counter: UInt64
        /// When the newest row arrived, and the first one after a silence, in this run.
        var came: (last: Instant, first: Instant)?
    }

    /// How far a clock may drift between two moments of one run before we assume that it was set meanwhile.
    private static let driftMax: Int64 = 60_000_000
    /// How long after we meet a neighbour it may pass on stored rows of absent members.
    private static let meetingTime: Duration = .seconds(5)

    private let own: MemberID
    private var heard: [MemberID: Heard] = [:]
    /// For members without a sign of life in this run: the last one before, in microseconds since 1970.
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

    /// Whether we have received no newer row of the member.
    package func isNewest(_ counter: UInt64, of member: MemberID) -> Bool { counter >= rows[member]?.counter ?? 0 }

    /// A message of the member itself arrived, on a link to it.
    package mutating func record(_ member: MemberID, now: Instant, wall: Int64) {
        guard member != own else { return }
        heard[member] = Heard(at: now, wall: wall, hops: 0)
        unsaved.insert(member)
    }

    /// A row of the member arrived that is newer than those held here.
    /// - Parameter counter: the row's: when it was signed, in microseconds since 1970 by the member's clock.
    /// - Parameter hops: links that the row crossed; 1: it came from the member itself.
    package mutating func claimed(_ member: MemberID, counter: UInt64, hops: Int, now: Instant, wall: Int64) {
        let known = rows[member]
        // An earlier run received a row at least as new.
        guard member != own, counter > known?.counter ?? 0 else { return }
        let first = known?.came.flatMap { now - $0.last < Limits.presenceLifetime ? $0.first : nil } ?? now
        rows[member] = Row(counter: counter, came: (now, first))
        unsaved.insert(member)
        guard hops > 1, now - first < Self.meetingTime, let signedAt = Self.past(counter, wall) else {
            heard[member] = Heard(at: now, wall: wall, hops: hops)
            return
        }
        // A row signed long ago, passed on by others: the member was there then, and need not be now.
        if signedAt > seenAt(member, now: now, wall: wall) ?? .min {
            let at = Instant(microseconds: now.microseconds - (wall - signedAt))
            heard[member] = Heard(at: at, wall: signedAt, hops: hops)
        }
    }

    /// When a row was signed, if that is too long ago to prove that its member is there. A clock that cannot be right
    /// proves nothing.
    private static func past(_ counter: UInt64, _ wall: Int64) -> Int64? {
        let signedAt = Int64(clamping: counter)
        guard signedAt >= NodeTime.builtAt * 1_000, signedAt <= wall else { return nil }
        return wall - signedAt >= Limits.presenceLifetime.microseconds ? signedAt : nil
    }

    /// The member's last sign of life in this run.
    package func at(_ member: MemberID) -> Instant? { heard[member]?.at }

    /// Links between us and the member at its last sign of life in this run.
    package func hops(_ member: MemberID) -> Int? { heard[member]?.hops }

    /// When the member was last there, in microseconds since 1970 by the clock as it is now; nil when that is not
    /// known, for example because the clock was set back.
    package func seenAt(_ member: MemberID, now: Instant, wall: Int64) -> Int64? {
        guard let heard = heard[member] else {
            return earlier[member].flatMap { $0 <= wall ? $0 : nil }
        }
        let counted = wall - (now - heard.at).microseconds
        // Whole seconds: otherwise the value would differ with every call.
        return abs(counted - heard.wall) <= Self.driftMax ? heard.wall : counted - counted % 1_000_000
    }

    /// The changes since the last call.
    package mutating func drainUnsaved(now: Instant, wall: Int64) -> [SignRecord] {
        defer { unsaved = [] }
        return unsaved.sorted().compactMap { member in
            seenAt(member, now: now, wall: wall).map {
                SignRecord(member: member, seenAt: $0, counter: rows[member]?.counter ?? 0)
            }
        }
    }
}
