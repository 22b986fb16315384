import TourModel

/// Messages whose status changes many at a time: reported once the changes have settled, so that a member who catches
/// up costs the others one line a message, and that later.
package struct SettlingChanges: Sendable {
    /// Up to this many changes are reported at once.
    package static let fewMax: UInt64 = 64
    /// Changes are reported after this long without another one.
    package static let quiet: Duration = .seconds(2)
    /// Changes are reported this long after the first one at the latest.
    package static let patience: Duration = .seconds(10)
    private var ranges: [MemberID: ClosedRange<UInt64>] = [:]
    private var since: Instant?
    private var at = Instant(microseconds: 0)

    package init() {}

    /// Records a change of these sequences.
    package mutating func add(_ range: ClosedRange<UInt64>, of author: MemberID, now: Instant) {
        ranges.add(range, of: author)
        since = since ?? now
        at = now
    }

    /// - Returns: all recorded changes, if it is time.
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
