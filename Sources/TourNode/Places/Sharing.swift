import TourModel

/// The sharing of this node's position in one tour.
package struct Sharing {
    /// How far a member moves before another row is worth sending.
    private static let metres: Double = 15
    /// The time after which another row shows that the member still shares.
    private static let heartbeat: Duration = .seconds(60)

    /// When it ends, in milliseconds since 1970.
    package let until: Int64
    /// The position sent last, and when.
    package private(set) var last: (fix: Fix, at: Instant)?

    package init(until: Int64) { self.until = until }

    /// Whether a row with this fix is worth sending: not for every step, but often enough that we do not seem to be
    /// gone.
    package func isDue(_ fix: Fix, _ now: Instant) -> Bool {
        guard let last else { return true }
        let pause = now - last.at
        if pause >= Self.heartbeat { return true }
        return pause >= Limits.positionInterval
            && last.fix.coordinate.metres(to: fix.coordinate) >= Self.metres
    }

    /// Records that this fix was sent.
    package mutating func said(_ fix: Fix, at now: Instant) { last = (fix, now) }
}
