/// A hybrid logical clock: 48 bits of milliseconds since 1970, then a 16-bit counter.
///
/// Clocks order messages identically on every node, and a wrong wall clock can only falsify the displayed time.
/// Source: `Protocol/05-events.md`, "Time".
@usableFromInline
package struct LogicalClock: Hashable, Comparable, Sendable {
    /// Milliseconds in the upper 48 bits, the counter in the lower 16.
    @usableFromInline package let value: UInt64

    @inlinable package init(value: UInt64) { self.value = value }

    package init(milliseconds: Int64, counter: UInt16 = 0) {
        let clamped = UInt64(clamping: min(milliseconds, Self.millisecondsMax))
        value = clamped << 16 | UInt64(counter)
    }

    /// The largest wall time that fits (the year 10889).
    package static let millisecondsMax: Int64 = 1 << 48 - 1
    /// The clock before any event.
    package static let zero = LogicalClock(value: 0)

    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: Int64 { Int64(value >> 16) }
    /// Distinguishes events within one millisecond.
    package var counter: UInt16 { UInt16(truncatingIfNeeded: value) }

    @inlinable package static func < (left: LogicalClock, right: LogicalClock) -> Bool { left.value < right.value }

    /// The clock of a new event: above every clock seen, never behind the wall clock. Saturates at the largest value;
    /// it never wraps.
    package func next(wallMilliseconds: Int64) -> LogicalClock {
        let wall = LogicalClock(milliseconds: wallMilliseconds)
        if wall > self { return wall }
        return value == .max ? self : LogicalClock(value: value + 1)
    }

    /// Our clock after witnessing `other`. A clock further ahead than `Limits.clockLeadMillisecondsMax` has no effect:
    /// one event dated 9999 must not drag every clock with it.
    package func witnessing(_ other: LogicalClock, wallMilliseconds: Int64) -> LogicalClock {
        other.isCredible(wallMilliseconds: wallMilliseconds) ? max(self, other) : self
    }

    /// Whether the clock is at most five minutes ahead of this wall clock.
    package func isCredible(wallMilliseconds: Int64) -> Bool {
        milliseconds <= wallMilliseconds + Limits.clockLeadMillisecondsMax
    }
}
