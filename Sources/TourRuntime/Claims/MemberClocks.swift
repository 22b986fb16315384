import TourModel

/// The clocks of other members, as far as their rows show them, and what they say about our own.
struct MemberClocks: Sendable {
    /// Milliseconds since 1970 by the member's clock in its newest row, and when that row arrived.
    private var times: [MemberID: (milliseconds: Int64, at: Instant)] = [:]

    /// A member signed a row: its counter is the time by the member's clock, in microseconds since 1970.
    mutating func record(_ member: MemberID, microseconds: UInt64, now: Instant) {
        times[member] = (Int64(clamping: microseconds / 1_000), now)
    }

    /// What the clocks of these members show now, in milliseconds since 1970.
    func now(of members: some Sequence<MemberID>, at now: Instant) -> [Int64] {
        members.compactMap { member in
            times[member].map { $0.milliseconds + (now - $0.at).microseconds / 1_000 }
        }
    }
}
