import TourGossip
import TourModel
import TourWire

/// One node's disk. Own events are on it before anybody sees them; others' are written at once and safe only once
/// synced.
package struct SimulatedStore: Sendable {
    /// Each author's log, in order, from sequence 1.
    package private(set) var logs: [MemberID: [Event]] = [:]
    /// How many of each log a crash cannot take.
    private var safe: [MemberID: Int] = [:]
    private var unsynced: [(time: Instant, author: MemberID, count: Int)] = []
    package internal(set) var controls: [Event] = []
    package internal(set) var claims: [MemberID: [VerifiedClaim]] = [:]
    /// Events that came to be stored twice, or out of order: a mistake of the machine.
    package private(set) var misplaced = 0

    package var heads: [MemberID: (sequence: UInt64, id: EventID)] {
        logs.compactMapValues { log in log.last.map { ($0.header.sequence, $0.id) } }
    }

    /// Every event, in the tour's order.
    package var inOrder: [Event] { logs.values.flatMap { $0 }.sorted { Event.precedes($0, $1) } }

    package var eventCount: Int { logs.values.reduce(0) { $0 + $1.count } }

    mutating func append(own event: Event) {
        put(event)
        safe[event.header.author] = logs[event.header.author]?.count
    }

    mutating func append(_ events: some Collection<Event>, at time: Instant) {
        for event in events { put(event) }
        if let author = events.first?.header.author {
            unsynced.append((time, author, logs[author]?.count ?? 0))
        }
    }

    private mutating func put(_ event: Event) {
        let log = logs[event.header.author] ?? []
        guard event.header.sequence == UInt64(log.count) + 1, event.header.previous == log.last?.id ?? .none else {
            misplaced += 1
            return
        }
        logs[event.header.author, default: []].append(event)
    }

    /// Writes before this time are on the platter.
    mutating func sync(before time: Instant) {
        for write in unsynced where write.time < time { safe[write.author] = max(safe[write.author] ?? 0, write.count) }
        unsynced.removeAll { $0.time < time }
    }

    /// Power fails: of what was not synced an early part is left, a different one of each log.
    mutating func crash(using rng: inout SplitMix64) -> Int {
        var lost = 0
        for author in logs.keys.sorted() {
            guard let log = logs[author] else { continue }
            let least = min(safe[author] ?? 0, log.count)
            let kept = Int.random(in: least...log.count, using: &rng)
            lost += log.count - kept
            logs[author] = Array(log.prefix(kept))
            safe[author] = kept
        }
        unsynced = []
        return lost
    }

    /// The disk loses the last event of a log, synced or not: no device does that, and the checkers must see it.
    mutating func forgetLast(of author: MemberID) { _ = logs[author]?.popLast() }

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
}
