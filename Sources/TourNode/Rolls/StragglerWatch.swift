import TourModel

/// Reports each member once when it has been out of reach for the chosen time, and again only after it was heard of
/// in between. Pure: the caller passes the time.
package struct StragglerWatch: Sendable {
    /// The allowed times out of reach, in minutes.
    package static let minutes = 1...240

    /// Nil: the watch is off.
    package var minutes: Int?
    private var told: [MemberID: Int64] = [:]
    /// How far two readings of the same sign of life may differ, in microseconds, as clocks are adjusted.
    private static let tolerance: Int64 = 10_000_000

    /// Nobody counts as out of reach since before this, in microseconds since 1970: until then we were out of reach
    /// ourselves.
    private var since: Int64

    /// - Parameter since: when a member could first be heard, in microseconds since 1970.
    package init(minutes: Int? = nil, since: Int64 = 0) {
        self.minutes = minutes
        self.since = since
    }

    /// No member can be heard at this time.
    package mutating func pause(at time: Int64) { since = time }

    /// - Parameters:
    ///   - heard: of members that are not reachable, the last sign of life, in microseconds since 1970.
    ///   - now: microseconds since 1970 by the same clock.
    /// - Returns: the members to report now, ascending.
    package mutating func review(_ heard: [MemberID: Int64], now: Int64) -> [MemberID] {
        told = told.filter { member, time in heard[member].map { $0 <= time + Self.tolerance } ?? false }
        let new = overdue(heard, now: now).filter { told[$0] == nil }
        for member in new { told[member] = heard[member] }
        return new
    }

    /// The members that have been out of reach for the chosen time, ascending.
    package func overdue(_ heard: [MemberID: Int64], now: Int64) -> [MemberID] {
        guard let minutes else { return [] }
        return heard.filter { now - max($0.value, since) >= Int64(minutes) * 60_000_000 }.keys.sorted()
    }
}
