import TourModel
import TourWire

/// Pulls of the peer of one link that wait to be served.
struct ServedPulls: Hashable, Sendable {
    private var waiting: [Serving] = []

    private struct Serving: Hashable, Sendable {
        var id: UInt32
        var ranges: [Want.Range]
        /// The bytes that may still go out for this pull.
        var budget: Int
        /// Whether the store is reading for this pull.
        var isLoading = false
    }

    /// What to do for the first pull.
    enum Action {
        case load(id: UInt32, Want.Range, bytesMax: Int)
        case finish(id: UInt32, isTruncated: Bool)
    }

    var count: Int { waiting.count }

    var hasRoom: Bool { waiting.count < GossipLink.servingMax }

    mutating func add(_ id: UInt32, _ ranges: [Want.Range]) {
        waiting.append(Serving(id: id, ranges: ranges, budget: Limits.pullBytesMax))
    }

    /// The next action; nil when nothing waits, or the store is reading.
    mutating func next(_ logs: Logs) -> Action? {
        guard let first = waiting.first, !first.isLoading else { return nil }
        while waiting[0].budget > 0, var range = waiting[0].ranges.first {
            // The range is clamped: no peer makes us look for events that we do not have.
            range.last = min(range.last, logs.stored[range.author], logs.end(of: range.author))
            guard range.first <= range.last else {
                waiting[0].ranges.removeFirst()
                continue
            }
            waiting[0].ranges[0] = range
            waiting[0].isLoading = true
            return .load(id: first.id, range, bytesMax: waiting[0].budget)
        }
        let done = waiting.removeFirst()
        return .finish(id: done.id, isTruncated: !done.ranges.isEmpty)
    }

    /// The store has read these events for a pull.
    /// - Returns: their author; nil if nobody waits for them.
    mutating func recordLoaded(_ id: UInt32, _ events: [Event]) -> MemberID? {
        guard let serving = waiting.first, serving.id == id, let range = serving.ranges.first else { return nil }
        waiting[0].budget -= events.reduce(0) { $0 + $1.bytes.count }
        waiting[0].isLoading = false
        if let last = events.last, last.header.sequence < range.last {
            waiting[0].ranges[0].first = last.header.sequence + 1
        } else {
            waiting[0].ranges.removeFirst()
        }
        return range.author
    }
}
