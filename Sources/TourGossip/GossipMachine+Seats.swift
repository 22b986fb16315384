import TourModel
import TourWire

/// What a node that signs the rows of a guest must know of them. Source: `Protocol/15-seats.md`, "Rows".
package struct SeatClaims {
    /// Everything that this node had at a settled place of the tour's order, and its hash; nil: nothing has settled.
    package let settled: (whole: WholeFrontier, heads: [MemberID: UInt64])?
    /// The heads that the guest's rows state, by the author's prefix.
    package let stated: [UInt64: UInt64]
    /// The counter of the guest's newest row; 0: none is known.
    package let counter: UInt64

    /// The least time between two rows of one member.
    package static func pause(members: Int) -> Duration { ClaimState.pause(members: members) }
}

extension GossipMachine {
    package func claims(ofGuest member: MemberID, _ now: Instant) -> SeatClaims {
        // A copy: the hash is cached for our own rows only.
        var order = order
        let settled = order.settledWhole(logs, authors, now).map { (whole: $0.whole, heads: $0.byAuthor) }
        return SeatClaims(
            settled: settled, stated: stated(by: member), counter: claims.known(of: member).counter)
    }

    /// The last event of a log, once all that is known of it is stored; nil while some of it is on its way.
    package func storedEnd(of author: MemberID) -> (sequence: UInt64, id: EventID)? {
        guard let head = logs.head(of: author) else { return (0, .none) }
        return head.sequence == logs.stored[author] ? (head.sequence, head.id) : nil
    }

    /// The heads that a member's rows state, by the author's prefix.
    package func stated(by member: MemberID) -> [UInt64: UInt64] { claims.known(of: member).heads }
}
