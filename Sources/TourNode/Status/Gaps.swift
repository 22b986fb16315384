import TourModel

/// What others say to have and this node has not: of which authors, and since when.
/// Source: `Protocol/06-replication.md`, "Gaps".
package struct Gaps: Sendable {
    /// For whoever asks how the node is doing.
    package struct Report: Hashable, Sendable {
        /// Events of members' logs; names and what tells of members count as well.
        package var events: UInt64
        package var members: Int
        /// Since when something of one of these logs has been missing at each look.
        package var since: Instant

        package init(events: UInt64, members: Int, since: Instant) {
            self.events = events
            self.members = members
            self.since = since
        }
    }

    private var missing: [MemberID: (count: UInt64, since: Instant)] = [:]

    package init() {}

    /// - Parameter counts: of each author how many events are known of and not here.
    package mutating func note(_ counts: [MemberID: UInt64], at now: Instant) {
        var later: [MemberID: (count: UInt64, since: Instant)] = [:]
        for (author, count) in counts { later[author] = (count, missing[author]?.since ?? now) }
        missing = later
    }

    /// - Returns: nil while nothing is missing.
    package var report: Report? {
        guard let since = missing.values.map(\.since).min() else { return nil }
        let events = missing.values.reduce(UInt64(0)) { sum, gap in
            let (more, overflow) = sum.addingReportingOverflow(gap.count)
            return overflow ? .max : more
        }
        return Report(events: events, members: missing.count, since: since)
    }
}
