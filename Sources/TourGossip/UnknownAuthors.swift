import TourModel
import TourWire

/// Authors that the peer of a link named and our roster does not know: control events are compared with that peer,
/// ever less often, until the roster explains them.
struct UnknownAuthors: Hashable, Sendable {
    /// Their heads, by prefix.
    private(set) var heads: [UInt64: UInt64] = [:]
    /// Those that the peer named with a tag.
    private var heard: [UInt64: HeardHead] = [:]
    /// When control events are compared next.
    private(set) var compareDue: Instant?
    private var pause = GossipLink.comparePauseMin
    private var comparedAt: Instant?

    /// - Parameter said: the head as the peer named it; nil: the peer sent a run.
    mutating func record(_ head: PrefixedHead, _ said: HeardHead?, _ now: Instant) {
        let old = heads[head.prefix]
        guard old != nil || heads.count < GossipLink.unknownHeadsMax else { return }
        heads[head.prefix] = max(old ?? 0, head.sequence)
        heard[head.prefix] = said ?? heard[head.prefix]
        guard old == nil else { return }
        pause = GossipLink.comparePauseMin
        let due = max(now, comparedAt.map { $0 + GossipLink.comparePauseMin } ?? now)
        compareDue = min(compareDue ?? due, due)
    }

    /// - Returns: the head as the peer named it last.
    mutating func remove(_ prefix: UInt64) -> HeardHead? {
        heads[prefix] = nil
        return heard.removeValue(forKey: prefix)
    }

    /// - Returns: whether control events are to be compared now.
    mutating func compare(_ now: Instant) -> Bool {
        guard let due = compareDue, due <= now else { return false }
        guard !heads.isEmpty else {
            compareDue = nil
            return false
        }
        comparedAt = now
        compareDue = now + pause
        pause = min(pause * 2, GossipLink.comparePauseMax)
        return true
    }
}
