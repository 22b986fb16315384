import TourGossip
import TourGroup
import TourModel
import TourWire

/// An open link, as far as the choice of links depends on it.
package struct KeptLink: Hashable, Sendable {
    /// The member behind it, whom the roster names: a peer that it does not name has no place on the ring, since anyone
    /// could make up ids.
    package let member: MemberID
    /// When the link opened.
    package let openedAt: Instant
    /// The networks that may carry it.
    package let networks: Set<Int>

    package init(member: MemberID, openedAt: Instant, networks: Set<Int>) {
        self.member = member
        self.openedAt = openedAt
        self.networks = networks
    }
}

extension Overlay {
    /// The overlay of a tour as this node knows it. Source: `Protocol/06-replication.md`, "Overlay".
    /// - Parameters:
    ///   - networks: ours, by index; one at least, so that there is a ring.
    ///   - places: where members may be.
    package init(
        of machine: TourMachine, links: [KeptLink], networks: [Int], places: [Dialer.Candidate], dialer: Dialer,
        now: Instant
    ) {
        let active = machine.group.roster.linking.map(\.id)
        let rings = dialer.rings(
            of: Set(active.filter { machine.isPresent($0, now: now) }), on: networks,
            linked: Dictionary(links.map { ($0.member, $0.networks) }) { $1 }, tour: machine.tour, among: places)
        self.init(
            own: machine.own, isHub: machine.rank.leads || networks.count > 1, rings: rings,
            sights: dialer.sights(on: networks, tour: machine.tour, among: places, now: now),
            links: Dictionary(links.map { ($0.member, $0.openedAt) }) { $1 })
    }
}

extension Dialer {
    /// The last link to a member has ended, whichever side ended it.
    /// - Returns: whether the member is lost for now, rather than linked less closely than before.
    package mutating func linkEnded(
        to member: MemberID, of machine: TourMachine, saying reason: ByeReason?, now: Instant
    ) -> Bool {
        guard ended(member, of: machine.tour, saying: reason, now: now),
            machine.group.roster.members[member] != nil
        else { return false }
        machine.presence.recordLoss(of: member, now: now)
        return true
    }
}
