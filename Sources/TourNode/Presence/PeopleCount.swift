import TourGroup
import TourModel

/// How many people are in a tour, and how many of them are in reach: the one source of these numbers, wherever they are
/// said.
package struct PeopleCount: Encodable, Hashable, Sendable {
    /// Active members, oneself among them; a server's archive is nobody.
    package var total: Int
    /// Oneself, and those who were heard of in the last 30 s, directly or through others.
    package var reachable: Int

    package init(total: Int, reachable: Int) {
        self.total = total
        self.reachable = reachable
    }
}

extension TourSession {
    /// - Returns: nil when the tour is over for this node: then that is to be said.
    func people(now: Instant) -> PeopleCount? {
        guard state == .active else { return nil }
        let people = group.roster.people
        return PeopleCount(total: people.count, reachable: people.count { isReachable($0.id, now: now) })
    }
}
