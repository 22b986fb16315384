import TourModel
import TourWire

/// Whether pushes go on one link, either way. Source: `Protocol/06-replication.md`, "Push".
struct TreeBranch: Hashable, Sendable {
    /// Whether we push to the peer. A duplicate prunes, a graft restores.
    private(set) var isEager = true
    /// Whether the peer pushes to us, as far as we know.
    private(set) var peerIsEager = true
    /// The number of the newest of the peer's datagrams that changed the tree.
    private var number: UInt64 = 0
    /// When the peer last got the whole frontier, as a link that joins the tree.
    private var toldAllAt: Instant?
    /// When the peer last got a `Prune`.
    private var prunedAt: Instant?

    mutating func join() { (isEager, peerIsEager) = (true, true) }

    /// We push to the peer again, whether or not it pushes to us.
    mutating func restore() { isEager = true }

    /// The peer wants no pushes.
    mutating func recordPrune() { (isEager, peerIsEager) = (false, false) }

    /// Ends the pushes both ways.
    /// - Returns: false if the peer got a `Prune` only a moment ago.
    mutating func prune(_ now: Instant) -> Bool {
        if !peerIsEager, let at = prunedAt, now - at < GossipLink.prunePause { return false }
        (isEager, peerIsEager) = (false, false)
        prunedAt = now
        return true
    }

    /// No peer makes us repeat the frontier again and again.
    mutating func acquireWholeFrontier(_ now: Instant) -> Bool {
        guard toldAllAt.map({ now - $0 >= Limits.tellAllPause }) ?? true else { return false }
        toldAllAt = now
        return true
    }

    /// Messages that change the tree count in the order in which they were sent: a lost `Prune` repeated behind a later
    /// graft would leave the link one-sided.
    mutating func inOrder(_ message: LinkMessage, _ number: UInt64) -> LinkMessage? {
        let isLate = number < self.number
        switch message {
        case .prune: if isLate { return nil }
        case .want(var want) where want.graft:
            if isLate {
                want.graft = false
                return .want(want)
            }
        default: return message
        }
        self.number = number
        return message
    }
}
