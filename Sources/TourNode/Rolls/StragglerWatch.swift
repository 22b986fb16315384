import TourModel

/// Tells once of each member that is out of reach for so long, and again only after it was heard in between. Pure: the
/// time is given to it.
package struct StragglerWatch: Sendable {
    /// For how long somebody is out of reach before it is told, in minutes.
    package static let minutes = 1...240

    /// Nil: nobody is watched for.
    package var minutes: Int?
    private var told: [MemberID: Int64] = [:]
    /// What two readings of when somebody was heard may differ by, in microseconds, as clocks are set.
    private static let tolerance: Int64 = 10_000_000

    /// Nobody is out of reach since before this, in microseconds since 1970: we ourselves were.
    private var since: Int64

    /// - Parameter since: when somebody could be heard for the first time, in microseconds since 1970.
    package init(minutes: Int? = nil, since: Int64 = 0) {
        self.minutes = minutes
        self.since = since
    }

    /// Nobody can be heard at this time.
    package mutating func pause(at time: Int64) { since = time }

    /// - Parameters:
    ///   - heard: of members that are not in reach, when each was heard of last, in microseconds since 1970.
    ///   - now: microseconds since 1970 by the same clock.
    /// - Returns: those to tell of now, ascending.
    package mutating func review(_ heard: [MemberID: Int64], now: Int64) -> [MemberID] {
        told = told.filter { member, time in heard[member].map { $0 <= time + Self.tolerance } ?? false }
        let new = overdue(heard, now: now).filter { told[$0] == nil }
        for member in new { told[member] = heard[member] }
        return new
    }

    /// Those that are out of reach for so long, ascending.
    package func overdue(_ heard: [MemberID: Int64], now: Int64) -> [MemberID] {
        guard let minutes else { return [] }
        return heard.filter { now - max($0.value, since) >= Int64(minutes) * 60_000_000 }.keys.sorted()
    }
}
