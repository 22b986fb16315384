import TourModel
import TourWire

// What a node that signs the rows of its guests must know. Source: `Protocol/15-seats.md`, "Rows".
extension GossipMachine {
    /// Everything that this node had at a settled place of the tour's order, and its hash; nil: nothing has settled.
    package func settledFrontier(_ now: Instant) -> (whole: WholeFrontier, heads: [MemberID: UInt64])? {
        // A copy: the hash is cached for our own rows only.
        var order = order
        return order.settledWhole(logs, authors, now).map { ($0.whole, $0.byAuthor) }
    }

    /// The heads that a member's rows state, by the author's prefix.
    package func stated(by member: MemberID) -> [UInt64: UInt64] { claims.known(of: member).heads }

    /// The counter of a member's newest row; 0: none is known.
    package func claimCounter(of member: MemberID) -> UInt64 { claims.known(of: member).counter }

    /// The least time between two rows of one member.
    package static func claimPause(members: Int) -> Duration { ClaimState.pause(members: members) }
}
