import TourModel

/// Notices the end of a flood of events, when the memory that it used can be released.
struct FloodWatch {
    /// From this many events on it is a flood.
    private static let eventsMin = 2_000
    /// A flood is over after this long without events.
    private static let quiet: Duration = .seconds(2)

    private var events = 0
    private var lastAt = Instant(microseconds: 0)

    mutating func record(_ count: Int, now: Instant) {
        events += count
        lastAt = now
    }

    /// Whether a flood has ended since the last call.
    mutating func hasEnded(now: Instant) -> Bool {
        guard events >= Self.eventsMin, now - lastAt >= Self.quiet else { return false }
        events = 0
        return true
    }
}
