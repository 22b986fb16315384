import TourModel

/// Messages whose status changed many at a time: told once that has come to rest, so that who catches up costs the
/// others one line a message, and that later.
package struct SettlingChanges: Sendable {
    /// So many are told at once.
    package static let fewMax: UInt64 = 64
    /// After so long without another change they are told, and this long after the first at the latest.
    package static let quiet: Duration = .seconds(2)
    package static let patience: Duration = .seconds(10)
    private var ranges: [MemberID: ClosedRange<UInt64>] = [:]
    private var since: Instant?
    private var at = Instant(microseconds: 0)

    package init() {}

    package mutating func add(_ range: ClosedRange<UInt64>, of author: MemberID, now: Instant) {
        ranges.add(range, of: author)
        since = since ?? now
        at = now
    }

    /// - Returns: all of them, if it is time.
    package mutating func settled(now: Instant) -> [MemberID: ClosedRange<UInt64>] {
        guard let since, now - at >= Self.quiet || now - since >= Self.patience else { return [:] }
        defer { self = SettlingChanges() }
        return ranges
    }
}

extension [MemberID: ClosedRange<UInt64>] {
    mutating func add(_ range: ClosedRange<UInt64>, of author: MemberID) {
        let old = self[author] ?? range
        self[author] = Swift.min(old.lowerBound, range.lowerBound)...Swift.max(old.upperBound, range.upperBound)
    }
}
