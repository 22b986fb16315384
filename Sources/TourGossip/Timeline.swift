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
        let id: EventID
        let previous: EventID
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
        let entry = Entry(
            clock: header.clock, author: header.author, sequence: header.sequence, id: event.id,
            previous: header.previous, at: now)
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

    /// The heads at that place, as far as the events since are known; at 0 where an author wrote nothing before.
    func heads(of stored: [MemberID: KnownHead], through clock: LogicalClock) -> [MemberID: KnownHead] {
        var heads = stored
        for entry in entries.reversed() {
            guard entry.clock > clock else { break }
            // An event that went ahead of the log, and that the log contradicts, is no part of it.
            guard let head = heads[entry.author], head.sequence >= entry.sequence,
                head.sequence > entry.sequence || head.id == entry.id
            else { continue }
            heads[entry.author] = KnownHead(prefix: head.prefix, sequence: entry.sequence - 1, id: entry.previous)
        }
        return heads
    }

    /// The event at a place of a log, if it is one of the last.
    /// - Parameter head: a later event of the log, which tells it apart from others for the same place.
    func id(of author: MemberID, at sequence: UInt64, behind head: KnownHead) -> EventID? {
        guard sequence < head.sequence else { return sequence == head.sequence ? head.id : nil }
        var last = head
        for entry in entries.reversed() where entry.author == author && entry.sequence == last.sequence {
            guard entry.id == last.id else { continue }
            last = KnownHead(prefix: head.prefix, sequence: entry.sequence - 1, id: entry.previous)
            if last.sequence == sequence { return last.id }
        }
        return nil
    }

    var count: Int { entries.count }
}

extension LogicalClock {
    fileprivate var nonzero: LogicalClock? { self == .zero ? nil : self }
}
