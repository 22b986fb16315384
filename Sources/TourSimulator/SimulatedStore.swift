import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// One node's disk. Own events are on it before anybody sees them; others' events are written at once, but safe only
/// once they are synced.
package struct SimulatedStore: Sendable {
    /// Each author's log, in order, from sequence 1.
    package private(set) var logs: [MemberID: [Event]] = [:]
    /// How many events of each log a crash cannot remove.
    private var safe: [MemberID: Int] = [:]
    private var unsynced: [(time: Instant, author: MemberID, count: Int)] = []
    /// Events that arrived ahead of their author's log, by sequence.
    package private(set) var ahead: [MemberID: [UInt64: Event]] = [:]
    private var unsyncedAhead: [(time: Instant, event: Event)] = []
    /// How often each urgent event was shown as new.
    package private(set) var shown: [EventID: Int] = [:]
    /// Control events, in the order of arrival.
    package internal(set) var controls: [Event] = []
    /// The keys on the disk: our wrapping keys once they were saved, and the epochs'.
    var wrapping: WrappingKeys?
    var epochKeys: [EpochKey] = []
    /// The kept claims of each member.
    package internal(set) var claims: [MemberID: [VerifiedClaim]] = [:]
    /// How many of a thousand writes fail: all of them on a full disk, some where it has bad places.
    var failuresPerMille = 0
    /// Authors of whom a run was not stored: one behind it does not continue the log, and is refused.
    var torn: Set<MemberID> = []
    /// Events given to the store twice, or out of order: a mistake of the machine.
    package private(set) var misplaced = 0

    /// Each log's last sequence, and that event's id.
    package var heads: [MemberID: (sequence: UInt64, id: EventID)] {
        logs.compactMapValues { log in log.last.map { ($0.header.sequence, $0.id) } }
    }

    /// How much of its author's share each log uses.
    package private(set) var sizes: [MemberID: LogSize] = [:]
    let share: LogShare

    init(share: LogShare) { self.share = share }

    /// Every event, in the tour's order.
    package var inOrder: [Event] { logs.values.flatMap { $0 }.sorted { Event.precedes($0, $1) } }

    /// Events of all logs.
    package var eventCount: Int { logs.values.reduce(0) { $0 + $1.count } }

    /// Keeps control events that no log holds yet, and removes others that nobody needs.
    mutating func keep(_ events: [Event], without dropped: Set<EventID>) {
        controls.removeAll { dropped.contains($0.id) }
        controls += events
    }

    /// All control events of these authors in their logs.
    func controlEvents(of authors: Set<MemberID>) -> [Event] {
        authors.sorted().flatMap { logs[$0] ?? [] }.filter { $0.header.eventClass == .control }
    }

    /// Every control event on the disk, in or before its log.
    var allControls: [Event] { controlEvents(of: Set(logs.keys)) + controls }

    /// What a node reads after its store failed.
    var logsAsStored: StoredLogs { StoredLogs(heads: heads, sizes: sizes, ahead: aheadEvents) }

    mutating func append(own event: Event) {
        put(event)
        safe[event.header.author] = logs[event.header.author]?.count
    }

    mutating func append(_ events: some Collection<Event>, at time: Instant) {
        for event in events { put(event) }
        if let author = events.first?.header.author {
            settle(author)
            unsynced.append((time, author, logs[author]?.count ?? 0))
        }
    }

    private mutating func put(_ event: Event) {
        let header = event.header
        let log = logs[header.author] ?? []
        guard header.sequence == UInt64(log.count) + 1, header.previous == log.last?.id ?? .none else {
            misplaced += 1
            return
        }
        let early = ahead[header.author]?.removeValue(forKey: header.sequence)
        if early?.id != event.id { show(event) }
        join(event)
    }

    private mutating func join(_ event: Event) {
        let author = event.header.author
        logs[author, default: []].append(event)
        sizes[author, default: .zero].add(event.header.eventClass, byteCount: event.bytes.count)
    }

    private func isFull(_ author: MemberID) -> Bool {
        !share.hasRoom(for: .announcement, after: sizes[author] ?? .zero)
    }

    private mutating func show(_ event: Event) {
        if event.header.eventClass.goesAhead { shown[event.id, default: 0] += 1 }
    }

    /// Events ahead of their author's log, in a deterministic order.
    var aheadEvents: [Event] { ahead.values.flatMap(\.values).sorted(by: Event.precedes) }

    /// Keeps and shows an event before the log reaches it. The first at a place stays.
    mutating func append(ahead event: Event, at time: Instant) {
        let header = event.header
        guard header.sequence > UInt64(logs[header.author]?.count ?? 0), !isFull(header.author),
            ahead[header.author]?[header.sequence] == nil
        else { return }
        ahead[header.author, default: [:]][header.sequence] = event
        unsyncedAhead.append((time, event))
        show(event)
    }

    /// As a real store does: an event ahead that continues the log joins it, one that does not is dropped.
    private mutating func settle(_ author: MemberID) {
        defer { if isFull(author) { ahead[author] = nil } }
        while !isFull(author), let log = logs[author],
            let next = ahead[author]?.removeValue(forKey: UInt64(log.count) + 1)
        {
            if next.header.previous == log.last?.id { join(next) }
        }
    }

    /// A log as it is cannot be lost in a crash any more.
    mutating func secure(_ author: MemberID) { safe[author] = logs[author]?.count }

    /// Writes before this time are on the platter.
    mutating func sync(before time: Instant) {
        for write in unsynced where write.time < time { safe[write.author] = max(safe[write.author] ?? 0, write.count) }
        unsynced.removeAll { $0.time < time }
        unsyncedAhead.removeAll { $0.time < time }
    }

    /// Power fails: of the unsynced events of each log a random first part remains.
    mutating func crash(using rng: inout SplitMix64) -> Int {
        var lost = 0
        for author in logs.keys.sorted() {
            guard let log = logs[author] else { continue }
            let least = min(safe[author] ?? 0, log.count)
            let kept = Int.random(in: least...log.count, using: &rng)
            lost += log.count - kept
            for event in log.dropFirst(kept) { shown[event.id] = nil }
            logs[author] = Array(log.prefix(kept))
            measure(author)
            safe[author] = kept
        }
        unsynced = []
        crashAhead(using: &rng)
        return lost
    }

    private mutating func crashAhead(using rng: inout SplitMix64) {
        guard !unsyncedAhead.isEmpty else { return }
        let kept = Int.random(in: 0...unsyncedAhead.count, using: &rng)
        for (_, event) in unsyncedAhead.dropFirst(kept) {
            // An event that the log has reached since is as safe as the log.
            let lost = ahead[event.header.author]?.removeValue(forKey: event.header.sequence)
            if lost != nil { shown[event.id] = nil }
        }
        unsyncedAhead = []
    }

    /// The disk loses the last event of a log, synced or not: no device does that, and the checkers must notice.
    mutating func forgetLast(of author: MemberID) {
        _ = logs[author]?.popLast()
        measure(author)
    }

    private mutating func measure(_ author: MemberID) {
        sizes[author] = logs[author]?.reduce(into: LogSize.zero) { size, event in
            size.add(event.header.eventClass, byteCount: event.bytes.count)
        }
    }

    func events(_ range: Want.Range, bytesMax: Int) -> [Event] {
        guard let log = logs[range.author], range.first > 0, range.first <= UInt64(log.count) else { return [] }
        var events = [Event]()
        var bytes = 0
        for event in log[Int(range.first - 1)..<Int(min(range.last, UInt64(log.count)))] {
            bytes += event.bytes.count
            if bytes > bytesMax, !events.isEmpty { break }
            events.append(event)
        }
        return events
    }

    /// The newest urgent events in these ranges, those ahead of their logs included.
    func urgentEvents(_ ranges: [Want.Range], limit: Int) -> [(event: Event, hops: Int)] {
        let found = ranges.flatMap { range -> [Event] in
            let early = ahead[range.author].map { Array($0.values) } ?? []
            return ((logs[range.author] ?? []) + early).filter { event in
                let sequence = event.header.sequence
                return event.header.eventClass.goesAhead && range.first <= sequence && sequence <= range.last
            }
        }
        return found.sorted { Event.precedes($1, $0) }.prefix(limit).map { (event: $0, hops: 1) }
    }
}
