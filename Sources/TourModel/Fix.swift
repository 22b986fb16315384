/// A position, its accuracy and its time.
package struct Fix: Hashable, Sendable {
    /// The position.
    package let coordinate: Coordinate
    /// With a probability of 95 % the true place is within this many metres, at most `accuracyMax`; 0: not known.
    package let accuracyMetres: UInt32
    /// Milliseconds since 1970, within 48 bits as all times of the protocol; nil: not stated.
    package let fixedAt: Int64?

    /// Half the Earth's circumference: no error is larger.
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
