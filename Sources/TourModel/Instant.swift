/// A reading of a clock that never steps: microseconds since an origin that only the shell knows.
///
/// The pure machines get it as an argument; the simulator invents it.
@usableFromInline
package struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since that origin.
    @usableFromInline package var microseconds: Int64

    @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }

    @inlinable package static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    @inlinable package static func + (left: Instant, right: Duration) -> Instant {
        Instant(microseconds: left.microseconds + right.microseconds)
    }

    @inlinable package static func - (left: Instant, right: Instant) -> Duration {
        .microseconds(left.microseconds - right.microseconds)
    }
}

extension Duration {
    /// Whole microseconds, truncated.
    @inlinable package var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
