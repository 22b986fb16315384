import TourModel
import TourWire

/// What becomes of an open link between members when the roster has changed.
/// Source: `Protocol/03-handshake.md`, "Restricted links".
package enum LinkStanding: Hashable, Sendable {
    case stays
    /// Its peer is in the roster now: the restriction ends.
    case begins
    case goes(ByeReason)
}

extension Roster {
    /// - Parameter isRestricted: whether the roster did not name the peer until now.
    package func standing(of id: MemberID, on linkKey: LinkKey, isRestricted: Bool) -> LinkStanding {
        guard let member = members[id], member.linkKey == linkKey else {
            // What let it in may be void now.
            return isRestricted ? .stays : .goes(.closing)
        }
        guard member.isActive else { return .goes(member.hasLeft ? .left : .removed) }
        return isRestricted ? .begins : .stays
    }
}
