import TourModel
import TourRuntime
import TourWire

/// All events of one tour, in memory: each author's log, and events that arrived ahead of theirs.
struct EventShelf {
    /// Each author's log, in order, from sequence 1.
    private(set) var logs: [MemberID: [Event]] = [:]
    /// Events that arrived ahead of their author's log, by sequence.
    private(set) var ahead: [MemberID: [UInt64: Event]] = [:]
    /// How much of its author's share each log uses.
    private(set) var sizes: [MemberID: LogSize] = [:]

    /// Each log's last sequence, and that event's id.
    var heads: [MemberID: (sequence: UInt64, id: EventID)] {
        logs.compactMapValues { log in log.last.map { ($0.header.sequence, $0.id) } }
    }

    /// Events ahead of their author's log, in the tour's order.
    var aheadEvents: [Event] { ahead.values.flatMap(\.values).sorted(by: Event.precedes) }

    /// The machine reads these after a store failed.
    var stored: StoredLogs { StoredLogs(heads: heads, sizes: sizes, ahead: aheadEvents) }

    /// The clocks of the newest event of each log, and of all that are ahead of theirs.
    var newestClocks: [LogicalClock] { (logs.values.compactMap(\.last) + aheadEvents).map(\.header.clock) }

    /// The last sequence of an author's log; 0: nothing is here.
    func end(of author: MemberID) -> UInt64 { UInt64(logs[author]?.count ?? 0) }

    /// The event at a place, in its log or ahead of it.
    func event(_ author: MemberID, _ sequence: UInt64) -> Event? {
        guard let log = logs[author], sequence > 0, sequence <= UInt64(log.count) else {
            return ahead[author]?[sequence]
        }
        return log[Int(sequence) - 1]
    }

    /// Adds events that continue their author's log, and those behind them that had arrived before.
    /// - Returns: what is to be kept; nil, and nothing is changed, if they do not continue it.
    mutating func append(_ events: [Event]) -> [KeptRecord]? {
        guard let first = events.first, follows(first), Self.areConsecutive(events) else { return nil }
        let author = first.header.author
        var records = [KeptRecord]()
        for event in events {
            if ahead[author]?.removeValue(forKey: event.header.sequence) != nil {
                records.append(KeptTour.ahead(event, isKept: false))
            }
            join(event)
            records.append(KeptTour.logged(event))
        }
        while let next = event(author, end(of: author) + 1) {
            ahead[author]?[next.header.sequence] = nil
            records.append(KeptTour.ahead(next, isKept: false))
            // Another branch of the log: the log goes on without it.
            guard follows(next), !isFull(author) else { continue }
            join(next)
            records.append(KeptTour.logged(next))
        }
        return records
    }

    /// Adds an event before which others of its author are missing. The first at a place stays.
    /// - Returns: what is to be kept.
    mutating func append(ahead event: Event) -> [KeptRecord] {
        let (author, sequence) = (event.header.author, event.header.sequence)
        guard sequence > end(of: author), !isFull(author), ahead[author]?[sequence] == nil else { return [] }
        ahead[author, default: [:]][sequence] = event
        return [KeptTour.ahead(event, isKept: true)]
    }

    /// Events of a range in order, at least one if there is any, and no more than these bytes otherwise.
    func events(_ range: Want.Range, bytesMax: Int) -> [Event] {
        guard let log = logs[range.author], range.first > 0, range.first <= UInt64(log.count) else { return [] }
        var events = [Event]()
        var bytes = 0
        for event in log[Int(range.first - 1)..<Int(clamping: max(min(range.last, UInt64(log.count)), range.first))] {
            bytes += event.bytes.count
            if bytes > bytesMax, !events.isEmpty { break }
            events.append(event)
        }
        return events
    }

    /// The newest urgent events in these ranges, those ahead of their logs included.
    func urgent(_ ranges: [Want.Range], limit: Int) -> [(event: Event, hops: Int)] {
        let found = ranges.flatMap { range in
            ((logs[range.author] ?? []) + (ahead[range.author].map { Array($0.values) } ?? [])).filter {
                let sequence = $0.header.sequence
                return $0.header.eventClass.goesAhead && range.first <= sequence && sequence <= range.last
            }
        }
        return found.sorted { Event.precedes($1, $0) }.prefix(limit).map { (event: $0, hops: 1) }
    }

    /// The control events of these authors in their logs, in exact bytes.
    func controls(of authors: some Sequence<MemberID>) -> [[UInt8]] {
        authors.flatMap { logs[$0] ?? [] }.filter { $0.header.eventClass == .control }.map(\.bytes)
    }

    private func follows(_ event: Event) -> Bool {
        let log = logs[event.header.author] ?? []
        return event.header.sequence == UInt64(log.count) + 1 && event.header.previous == log.last?.id ?? .none
    }

    private static func areConsecutive(_ events: [Event]) -> Bool {
        zip(events, events.dropFirst()).allSatisfy { before, after in
            after.header.sequence == before.header.sequence + 1 && after.header.previous == before.id
        }
    }

    private mutating func join(_ event: Event) {
        logs[event.header.author, default: []].append(event)
        sizes[event.header.author, default: .zero].add(event.header.eventClass, byteCount: event.bytes.count)
    }

    private func isFull(_ author: MemberID) -> Bool {
        !LogShare.ofTour.hasRoom(for: .announcement, after: sizes[author] ?? .zero)
    }
}
