import TourGroup
import TourModel

/// How many people are in a tour, and how many of them are reachable: the one source of these numbers, wherever they
/// are shown.
package struct PeopleCount: Encodable, Hashable, Sendable {
    /// Active members, this node's included; a server's archive is not counted.
    package var total: Int
    /// This node's member, and members heard of in the last 30 s, directly or through others.
    package var reachable: Int

    package init(total: Int, reachable: Int) {
        self.total = total
        self.reachable = reachable
    }
}

extension TourSession {
    /// - Returns: nil when the tour is over for this node, which should be shown instead.
    func people(now: Instant) -> PeopleCount? {
        guard state == .active else { return nil }
        let people = group.roster.people
        return PeopleCount(total: people.count, reachable: people.count { isReachable($0.id, now: now) })
    }
}
