import TourModel
import TourWire

/// Authors that the peer of a link named and our roster does not know: control events are compared with that peer,
/// ever less often, until the roster explains them.
struct UnknownAuthors: Hashable, Sendable {
    /// Their heads, by prefix.
    private(set) var heads: [UInt64: UInt64] = [:]
    /// When control events are compared next.
    private(set) var compareDue: Instant?
    private var pause = GossipLink.comparePauseMin
    private var comparedAt: Instant?

    mutating func record(_ head: PrefixedHead, _ now: Instant) {
        let old = heads[head.prefix]
        guard old != nil || heads.count < GossipLink.unknownHeadsMax else { return }
        heads[head.prefix] = max(old ?? 0, head.sequence)
        guard old == nil else { return }
        pause = GossipLink.comparePauseMin
        let due = max(now, comparedAt.map { $0 + GossipLink.comparePauseMin } ?? now)
        compareDue = min(compareDue ?? due, due)
    }

    mutating func remove(_ prefix: UInt64) { heads[prefix] = nil }

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
