import TourModel

/// When each message was sent, and when each member had it.
final class DeliveryBook {
    private struct Entry {
        let sentAt: Instant
        let readers: Set<Int>
        var arrivals: [Int: Instant] = [:]

        func waits(for node: Int) -> Bool { readers.contains(node) && arrivals[node] == nil }
    }

    private var entries: [EventID: Entry] = [:]
    private var order: [EventID] = []
    /// Pairs of a message and a member that does not have it yet.
    private(set) var missing = 0
    /// Of all messages together: sealed and signed.
    private(set) var eventBytes = 0

    var messages: Int { order.count }

    /// - Parameter readers: the nodes that should get it.
    func sent(_ event: Event, at time: Instant, to readers: some Sequence<Int>) {
        let entry = Entry(sentAt: time, readers: Set(readers))
        entries[event.id] = entry
        order.append(event.id)
        missing += entry.readers.count
        eventBytes += event.bytes.count
    }

    func stored(_ events: [Event], by node: Int, at time: Instant) {
        for event in events where entries[event.id]?.waits(for: node) == true {
            entries[event.id]?.arrivals[node] = time
            missing -= 1
        }
    }

    /// A member is off: no message waits for it any more.
    func forget(_ node: Int) {
        for id in order {
            guard let entry = entries[id], entry.waits(for: node) else { continue }
            entries[id] = Entry(
                sentAt: entry.sentAt, readers: entry.readers.subtracting([node]), arrivals: entry.arrivals)
            missing -= 1
        }
    }

    /// - Parameter isCounted: which members count; nil: all.
    /// - Parameter first: the first message that counts, in the order of sending.
    func latencies(of isCounted: ((Int) -> Bool)? = nil, from first: Int = 0) -> LatencyFigures {
        var microseconds = [Int64]()
        var missing = 0
        for id in order.dropFirst(first) {
            guard let entry = entries[id] else { continue }
            for node in entry.readers where isCounted?(node) ?? true {
                if let arrival = entry.arrivals[node] {
                    microseconds.append((arrival - entry.sentAt).microseconds)
                } else {
                    missing += 1
                }
            }
        }
        return LatencyFigures(microseconds, missing: missing)
    }

    /// When the last of all messages arrived.
    var lastArrival: Instant? { entries.values.compactMap { $0.arrivals.values.max() }.max() }

    /// How long the message with this number took to its last reader; nil while one waits.
    func completion(of message: Int) -> Duration? {
        guard order.indices.contains(message), let entry = entries[order[message]],
            entry.arrivals.count == entry.readers.count, let last = entry.arrivals.values.max()
        else { return nil }
        return last - entry.sentAt
    }
}

/// Times from an author's send until a member had stored the message and could show it, over all pairs of the two.
package struct LatencyFigures: Hashable, Sendable {
    /// Pairs of a message and a member, missing ones included.
    package let pairs: Int
    /// Pairs that never arrived.
    package let missing: Int
    /// Half of the pairs took no longer.
    package let p50: Duration
    /// 99 of a hundred pairs took no longer.
    package let p99: Duration
    /// No pair took longer.
    package let max: Duration

    init(_ microseconds: [Int64], missing: Int) {
        let sorted = microseconds.sorted()
        func share(_ percent: Int) -> Duration {
            guard !sorted.isEmpty else { return .zero }
            return .microseconds(sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)])
        }
        pairs = sorted.count + missing
        self.missing = missing
        p50 = share(50)
        p99 = share(99)
        max = .microseconds(sorted.last ?? 0)
    }
}
