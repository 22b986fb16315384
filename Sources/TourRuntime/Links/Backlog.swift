import TourModel

/// What waits for the verifier and the store: too much, and links are not read, so that memory does not grow.
struct Backlog: Sendable {
    /// The bytes of an event above which it counts as several.
    private static let eventBytes = 4_096

    /// Events handed to the verifier or the store and not back yet.
    private(set) var events = 0
    /// Runs that are being verified off the loop.
    private(set) var verifying = 0
    /// Whether too many wait to read from the links.
    private(set) var isHoldingBack = false

    /// A datagram's contents are sent again: they never fill the queue that links need.
    var hasRoomForDatagrams: Bool { events <= Limits.unstoredEventsMax / 8 }

    /// The backlog is counted in events, with a large event counted as several: so it is bounded in bytes as well.
    static func weight(_ count: Int, bytes: Int) -> Int { max(count, bytes / Self.eventBytes) }

    /// More waits, or less: if that changes whether links are read, it says so to each of them.
    mutating func change(by weight: Int, reading links: OpenLinks, _ step: inout TourStep) {
        events += weight
        let bound = isHoldingBack ? Limits.unstoredEventsMax / 2 : Limits.unstoredEventsMax
        let isFull = events > bound
        guard isFull != isHoldingBack else { return }
        isHoldingBack = isFull
        for link in links.ids { step.emit(.setReading(link, !isFull)) }
    }

    mutating func recordVerifying(_ change: Int) { verifying += change }
}
