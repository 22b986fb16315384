import TourModel
import TourWire

/// What a node that signs the rows of a guest must know of them. Source: `Protocol/15-seats.md`, "Rows".
package struct SeatClaims {
    /// Everything that this node had at a settled place of the tour's order, and its hash; nil: nothing has settled.
    package let settled: (whole: WholeFrontier, heads: [MemberID: UInt64])?
    /// The heads that the phone has, as far as this node remembers which events these are.
    package let known: [MemberID: KnownHead]
    /// The heads that the guest's rows state, by the author's prefix.
    package let stated: [UInt64: UInt64]
    /// The counter of the guest's newest row; 0: none is known.
    package let counter: UInt64

    /// - Parameter has: what the phone has.
    package init(of guest: MemberID, has: Frontier, in gossip: borrowing GossipMachine, _ now: Instant) {
        // A copy: the hash is cached for our own rows only.
        var order = gossip.order
        settled = order.settledWhole(gossip.logs, gossip.authors, now).map { (whole: $0.whole, heads: $0.byAuthor) }
        var known = [MemberID: KnownHead]()
        for (author, last) in has.heads {
            guard let id = order.id(of: author, at: last, gossip.logs) else { continue }
            known[author] = KnownHead(prefix: author.prefix, sequence: last, id: id)
        }
        self.known = known
        stated = Self.stated(by: guest, in: gossip)
        counter = gossip.claims.known(of: guest).counter
    }

    /// The heads that a member's rows state, by the author's prefix.
    package static func stated(by member: MemberID, in gossip: borrowing GossipMachine) -> [UInt64: UInt64] {
        gossip.claims.known(of: member).heads
    }

    /// The last event of a log, once all that is known of it is stored; nil while some of it is on its way.
    package static func storedEnd(
        of author: MemberID, in gossip: borrowing GossipMachine
    ) -> (sequence: UInt64, id: EventID)? {
        guard let head = gossip.logs.head(of: author) else { return (0, .none) }
        return head.sequence == gossip.logs.stored[author] ? (head.sequence, head.id) : nil
    }

    /// The least time between two rows of one member.
    package static func pause(members: Int) -> Duration { ClaimState.pause(members: members) }
}
