/// Where somebody or something was, how well that is known, and when it was so.
package struct Fix: Hashable, Sendable {
    package let coordinate: Coordinate
    /// The true place is nearly always (95 of 100 times) within so many metres, at most `accuracyMax`; 0: not known.
    package let accuracyMetres: UInt32
    /// Milliseconds since 1970, within 48 bits as all our times; nil: not said.
    package let fixedAt: Int64?

    /// Half the way around the Earth: nothing is further off.
    package static let accuracyMax: UInt32 = 20_100_000

    /// - Returns: nil for an accuracy or a time out of range.
    package init?(_ coordinate: Coordinate, accuracyMetres: UInt32 = 0, fixedAt: Int64? = nil) {
        guard accuracyMetres <= Self.accuracyMax else { return nil }
        if let fixedAt, !(1...LogicalClock.millisecondsMax).contains(fixedAt) { return nil }
        self.coordinate = coordinate
        self.accuracyMetres = accuracyMetres
        self.fixedAt = fixedAt
    }
}
