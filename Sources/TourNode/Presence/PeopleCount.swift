import TourAPI
import TourGroup
import TourModel

extension TourSession {
    /// - Returns: nil when the tour is over for this node, which should be shown instead.
    func people(now: Instant) -> PeopleCount? {
        guard state == .active else { return nil }
        let people = group.roster.people
        return PeopleCount(total: people.count, reachable: people.count { isReachable($0.id, now: now) })
    }
}
