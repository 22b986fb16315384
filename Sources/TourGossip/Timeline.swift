import TourModel

/// Events that came lately, in the tour's order: from them follows what this node had at an earlier place in it.
/// Source: `Protocol/06-replication.md`, "What a row lists".
struct Timeline: Sendable {
    private struct Entry: Sendable {
        let clock: LogicalClock
        let author: MemberID
        let sequence: UInt64
        /// When it came.
        let at: Instant
    }

    /// By their clocks; at most `Limits.timelineMax`, the last ones.
    private var entries: [Entry] = []
    /// Nothing that was there at the start is later.
    private var start: LogicalClock?

    mutating func begin(through clock: LogicalClock?) { start = clock ?? start }

    mutating func add(_ event: Event, _ now: Instant) {
        let header = event.header
        let place = (entries.lastIndex { $0.clock <= header.clock } ?? -1) + 1
        let entry = Entry(clock: header.clock, author: header.author, sequence: header.sequence, at: now)
        entries.insert(entry, at: place)
        if entries.count > Limits.timelineMax { entries.removeFirst() }
    }

    /// The last place up to which nothing came lately, so that everybody has what is before it.
    /// - Returns: nil when all that is known came lately, or nothing.
    func settled(_ now: Instant) -> LogicalClock? {
        guard let young = entries.first(where: { now - $0.at < Limits.settlingTime })?.clock else {
            return max(entries.last?.clock ?? .zero, start ?? .zero).nonzero
        }
        let old = entries.last { $0.clock < young }?.clock
        return max(old ?? .zero, start.map { $0 < young ? $0 : .zero } ?? .zero).nonzero
    }

    /// What of these heads there was at that place, as far as the events between are known.
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
