import TourModel
import TourWire

/// The fate of an open link between members when the roster has changed.
/// Source: `Protocol/03-handshake.md`, "Restricted links".
package enum LinkStanding: Hashable, Sendable {
    /// The link stays as it is.
    case stays
    /// Its peer is in the roster now: the restriction ends.
    case begins
    /// The link closes with this reason.
    case goes(ByeReason)
}

/// The events of the tour that this node sends to the peer of a restricted link.
/// Source: `Protocol/03-handshake.md`, "Restricted links".
package enum RestrictedHearing: Hashable, Sendable {
    /// The control events.
    case all
    /// Nothing: this node accepts what the peer sends, until the roster names it.
    case nothing
    /// The events that show why the peer is out.
    case ending
}

extension TourGroup {
    /// The events that this node sends to a device on a restricted link.
    /// - Parameter device: the member that the bind names, under a link key that the roster does not.
    /// - Parameter epoch: the one whose secret opened the link.
    package func hearing(of device: MemberID, through epoch: EpochID?) -> RestrictedHearing {
        if roster.members[device]?.isActive == false { return .ending }
        // A removed member has the secret: it could come under new keys.
        guard let epoch, keyring.isSafe(epoch) else { return .nothing }
        return .all
    }
}

extension Roster {
    /// Whether a link of this member stays, loses its restriction or closes.
    /// - Parameter isRestricted: whether the roster did not name the peer until now.
    package func standing(of id: MemberID, on linkKey: LinkKey, isRestricted: Bool) -> LinkStanding {
        guard let member = members[id], member.linkKey == linkKey else {
            // The admission on which the link rested may be void now.
            return isRestricted ? .stays : .goes(.closing)
        }
        guard member.isActive else { return .goes(member.hasLeft ? .left : .removed) }
        return isRestricted ? .begins : .stays
    }
}
