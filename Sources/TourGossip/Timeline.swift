import TourModel

/// Recent events in the tour's order: they show what this node had at an earlier place in it.
/// Source: `Protocol/06-replication.md`, "What a row lists".
struct Timeline: Sendable {
    /// Events that arrived within this time may not be everywhere yet: a hash over them would tell others nothing.
    private static let settlingTime: Duration = .milliseconds(500)
    /// The most events from which earlier frontiers are derived.
    static let eventsMax = 512

    private struct Entry: Sendable {
        let clock: LogicalClock
        let author: MemberID
        let sequence: UInt64
        /// When the event arrived.
        let at: Instant
    }

    /// Sorted by clock; at most `Timeline.eventsMax`, the last ones.
    private var entries: [Entry] = []
    /// The clock that no event stored at the start exceeds.
    private var start: LogicalClock?

    mutating func begin(through clock: LogicalClock?) { start = clock ?? start }

    mutating func add(_ event: Event, _ now: Instant) {
        let header = event.header
        let place = (entries.lastIndex { $0.clock <= header.clock } ?? -1) + 1
        let entry = Entry(clock: header.clock, author: header.author, sequence: header.sequence, at: now)
        entries.insert(entry, at: place)
        if entries.count > Self.eventsMax { entries.removeFirst() }
    }

    /// The last place up to which nothing arrived lately, so that everybody has the events before it.
    /// - Returns: nil when everything known arrived lately, or nothing is known.
    func settled(_ now: Instant) -> LogicalClock? {
        guard let young = entries.first(where: { now - $0.at < Self.settlingTime })?.clock else {
            return max(entries.last?.clock ?? .zero, start ?? .zero).nonzero
        }
        let old = entries.last { $0.clock < young }?.clock
        return max(old ?? .zero, start.map { $0 < young ? $0 : .zero } ?? .zero).nonzero
    }

    /// The heads at that place, as far as the events since are known.
    func heads(of frontier: Frontier, through clock: LogicalClock) -> [MemberID: UInt64] {
        var heads = frontier.heads
        for entry in entries.reversed() {
            guard entry.clock > clock else { break }
            if let head = heads[entry.author], head >= entry.sequence { heads[entry.author] = entry.sequence - 1 }
        }
        return heads
    }

    var count: Int { entries.count }
}

extension LogicalClock {
    fileprivate var nonzero: LogicalClock? { self == .zero ? nil : self }
}
