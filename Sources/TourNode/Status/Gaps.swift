import TourModel

/// Events that other members have and this node lacks: of which authors, and since when.
/// Source: `Protocol/06-replication.md`, "Gaps".
package struct Gaps: Sendable {
    /// A summary for status and doctor.
    package struct Report: Hashable, Sendable {
        /// Missing events of members' logs, names and changes of the roster included.
        package var events: UInt64
        /// How many members' logs have missing events.
        package var members: Int
        /// Since when one of these logs has had missing events at every check.
        package var since: Instant

        package init(events: UInt64, members: Int, since: Instant) {
            self.events = events
            self.members = members
            self.since = since
        }
    }

    private var missing: [MemberID: (count: UInt64, since: Instant)] = [:]

    package init() {}

    /// - Parameter counts: for each author how many known events are missing here.
    package mutating func record(_ counts: [MemberID: UInt64], at now: Instant) {
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
