import TourAPI
import TourGossip
import TourGroup
import TourModel
import TourStore

extension TourSession {
    /// The state of the tour for us.
    var state: TourState {
        switch gossip.ownLogState {
        case .forked: return .keyForked
        case .retired: return .keyRetired
        case .ready, .restored, .copied: break
        }
        // A member that the roster no longer names joined by a code that was void.
        guard let member = group.roster.members[own] else { return .removed }
        if member.isForked { return .keyForked }
        if member.isRemoved { return .removed }
        if member.hasLeft || !record.active { return .left }
        return group.roster.isClosed ? .closed : .active
    }

    /// Why the tour is not active.
    var inactivity: NodeError {
        switch state {
        case .active: .notActive
        case .closed: .closed(record.name)
        case .left: .left(record.name)
        case .removed: .removed(record.name)
        case .keyForked: .forked(record.name)
        case .keyRetired: .retired(record.name)
        }
    }
}
