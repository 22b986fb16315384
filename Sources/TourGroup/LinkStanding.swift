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

/// What somebody hears of the tour at the other end of a restricted link.
/// Source: `Protocol/03-handshake.md`, "Restricted links".
package enum RestrictedHearing: Hashable, Sendable {
    /// The control events.
    case all
    /// Nothing: what it says is taken, until the roster names it.
    case nothing
    /// Why it is out.
    case ending
}

extension TourGroup {
    /// - Parameter device: what the bind says, under a link key that the roster does not name.
    /// - Parameter epoch: the one whose secret opened the link.
    package func hearing(of device: MemberID, through epoch: EpochID?) -> RestrictedHearing {
        if roster.members[device]?.isActive == false { return .ending }
        // Somebody who is out has the secret: it could come under keys that are new.
        guard let epoch, keyring.isSafe(epoch) else { return .nothing }
        return .all
    }
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
