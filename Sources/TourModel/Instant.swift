/// A reading of a clock that never steps: microseconds since an origin that only the shell knows.
///
/// The pure machines get it as an argument; the simulator makes it up.
package struct Instant: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    package static func + (left: Instant, right: Duration) -> Instant {
        Instant(microseconds: left.microseconds + right.microseconds)
    }

    package static func - (left: Instant, right: Instant) -> Duration {
        .microseconds(left.microseconds - right.microseconds)
    }
}

extension Duration {
    /// Whole microseconds, truncated.
    package var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
