import TourModel

/// Notices the end of a flood of events: what it took of memory is of no use any more.
struct FloodWatch {
    /// So many events are a flood.
    private static let eventsMin = 2_000
    /// So long without any, and it is over.
    private static let quiet: Duration = .seconds(2)

    private var events = 0
    private var lastAt = Instant(microseconds: 0)

    mutating func note(_ count: Int, now: Instant) {
        events += count
        lastAt = now
    }

    /// Whether one has ended since this was last asked.
    mutating func hasEnded(now: Instant) -> Bool {
        guard events >= Self.eventsMin, now - lastAt >= Self.quiet else { return false }
        events = 0
        return true
    }
}
