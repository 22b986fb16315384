import TourModel

/// The links that one node wants in one tour, judged from the members believed present and those linked.
///
/// Connectivity is by construction: on each of its networks a node wants links to its two neighbours on the ring of the
/// members present there, in the order of their ids (which are hashes), and never gives these up; a few more links keep
/// paths short. Pure: the shell reports facts, dials, accepts and closes.
/// Source: `Protocol/06-replication.md`, "Overlay".
package struct Overlay: Hashable, Sendable {
    /// The links of a tour up to which a node dials, whoever dialled those it has: two neighbours and three random
    /// ones. So 200 members have about 650 links, and nearly all are within four links of each other.
    private static let dialTarget = 5
    /// The number of others present up to which every member links with every other: a tree would save little.
    private static let smallTourMax = 6
    /// The most links of a tour that a node keeps. Twice the dial target, so that a dialling member finds a place
    /// quickly.
    package static let acceptMax = 10
    /// The same for a guide or a node with several networks.
    private static let hubAcceptMax = 16
    /// The most links of a tour at any moment, those with newcomers that nobody else has reached included.
    package static let linksMax = 24
    /// The age below which a link is not given up as surplus: a newcomer finds others in that time.
    package static let settleTime: Duration = .seconds(30)

    /// The answer to a member that dialled us.
    package enum Answer: Hashable, Sendable {
        /// Accept the link.
        case accept
        /// There are links enough: `Bye {"full"}`.
        case refuse
        /// Accept it, and give up the link to this member.
        case replace(MemberID)
    }

    /// How urgently a link is wanted that has to be dialled.
    package enum Urgency: Int, Comparable, Sendable {
        /// A neighbour on a ring; one of the other links.
        case neighbour, filling

        package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    /// This node's member.
    package let own: MemberID
    /// Whether this node carries more links: guides and nodes with several networks do.
    package let isHub: Bool
    /// The linked members, and since when.
    package var links: [MemberID: Instant]
    /// The other members believed present, on any network.
    private let present: Set<MemberID>
    /// One for each of our networks; nil where nobody else is present.
    private let rings: [Ring?]
    /// The networks, as indexes of `rings`, on which addresses are in sight at which members answered lately.
    private let sights: [MemberID: Set<Int>]

    /// The members next to us on one network's ring; if only one other is present, it is both.
    private struct Ring: Hashable, Sendable {
        let successor: MemberID
        let predecessor: MemberID

        /// - Returns: nil when nobody else is there.
        init?(around own: MemberID, of members: Set<MemberID>) {
            let others = members.subtracting([own])
            guard let first = others.min(), let last = others.max() else { return nil }
            successor = others.filter { $0 > own }.min() ?? first
            predecessor = others.filter { $0 < own }.max() ?? last
        }

        func names(_ member: MemberID) -> Bool { member == successor || member == predecessor }

        /// Whether an absent member would be next to us if it came.
        func hasGap(for member: MemberID, beside own: MemberID) -> Bool {
            Overlay.isBetween(own, member, successor) || Overlay.isBetween(predecessor, member, own)
        }
    }

    /// The overlay on one network.
    /// - Parameter present: the members that are there and can be dialled, as far as is known. Linked members count as
    ///   present.
    package init(own: MemberID, isHub: Bool, present: Set<MemberID>, links: [MemberID: Instant]) {
        self.init(own: own, isHub: isHub, rings: [present.union(links.keys)], links: links)
    }

    /// - Parameter rings: the members present on each of our networks. A linked member counts only on the networks of
    ///   its link: elsewhere it must not displace a member that has no other neighbour there.
    /// - Parameter sights: the networks, as indexes of `rings`, on which addresses are in sight at which members
    ///   answered lately.
    package init(
        own: MemberID, isHub: Bool, rings: [Set<MemberID>], sights: [MemberID: Set<Int>] = [:],
        links: [MemberID: Instant]
    ) {
        self.own = own
        self.isHub = isHub
        self.links = links
        present = rings.reduce(into: Set(links.keys)) { $0.formUnion($1) }.subtracting([own])
        self.rings = rings.map { Ring(around: own, of: $0) }
        self.sights = sights
    }

    /// The successor and the predecessor on each ring.
    package var neighbours: Set<MemberID> { Set(rings.compactMap(\.self).flatMap { [$0.successor, $0.predecessor] }) }

    /// Whether a member that answered somewhere before is missing now.
    func isAbsent(_ member: MemberID) -> Bool { member != own && !present.contains(member) }

    /// How many others are believed present.
    package var presentCount: Int { present.count }

    /// How many links are worth dialling for. In a small tour every member links with every other.
    package var dialTarget: Int {
        present.count <= Self.smallTourMax ? Self.smallTourMax : Self.dialTarget
    }

    /// How many links are kept; only ring neighbours get more, and for a while.
    package var acceptMax: Int { isHub ? Self.hubAcceptMax : Self.acceptMax }

    /// How many more links are worth dialling for.
    package var room: Int { max(0, dialTarget - links.count) }

    /// Whether the member is next to us on a ring, or would be if it were present: an absent member's two ring
    /// neighbours look for it.
    package func isNeighbour(_ member: MemberID) -> Bool {
        guard member != own else { return false }
        if present.contains(member) { return rings.contains { $0?.names(member) ?? false } }
        // On a network where nobody else is present a member in sight is next to us, however many are on other
        // networks.
        if sights[member]?.contains(where: { rings[$0] == nil }) == true { return true }
        let others = rings.compactMap(\.self)
        return others.isEmpty || others.contains { $0.hasGap(for: member, beside: own) }
    }

    /// Whether a present neighbour has no link.
    package var lacksNeighbour: Bool { neighbours.contains { links[$0] == nil } }

    /// Whether a present member should be linked whose address is not known; or nobody is known to be present.
    /// - Parameter isKnown: whether an address of the member is known that has not failed.
    package func lacksAddress(_ isKnown: (MemberID) -> Bool) -> Bool {
        if present.isEmpty { return true }
        let wanted = room > 0 ? present : neighbours
        return wanted.contains { links[$0] == nil && !isKnown($0) }
    }

    /// - Parameter member: the member that last answered at an address; nil if nobody has yet.
    /// - Returns: nil if the address is not worth dialling now.
    package func urgency(of member: MemberID?) -> Urgency? {
        guard let member else { return room > 0 ? .filling : nil }
        guard member != own, links[member] == nil else { return nil }
        if isNeighbour(member) { return .neighbour }
        return room > 0 ? .filling : nil
    }

    /// Whether a link that we dialled is still wanted, now that the peer is known. A member that was not known to be
    /// present may lead to others like it.
    package func wants(_ member: MemberID) -> Bool {
        guard member != own, links[member] == nil else { return false }
        return room > 0 || isNeighbour(member) || !present.contains(member) && links.count < Self.linksMax
    }

    /// The answer to a member that dialled us and has no link yet.
    package func answer(to member: MemberID) -> Answer {
        if links.count < acceptMax { return .accept }
        // A member that nobody reached so far may be able to reach nobody else.
        let isStranger = !present.contains(member)
        if isStranger, links.count < Self.linksMax { return .accept }
        guard isStranger || isNeighbour(member) else { return .refuse }
        if let newest = newestSpare { return .replace(newest) }
        return links.count < Self.linksMax ? .accept : .refuse
    }

    /// The link to give up now, if there are too many: the newest that is no neighbour's and has been open for a while.
    /// The shell asks once a second, so that links close one by one and the effect of each can show.
    package func surplus(now: Instant) -> MemberID? {
        guard links.count > acceptMax else { return nil }
        return spare.filter { now - $0.value >= Self.settleTime }.max(by: Self.isOlder)?.key
    }

    /// The first link to give up when a better one comes.
    var newestSpare: MemberID? { spare.max(by: Self.isOlder)?.key }

    /// Links that no ring needs.
    private var spare: [MemberID: Instant] { links.filter { !isNeighbour($0.key) } }

    private static func isOlder(
        _ left: (key: MemberID, value: Instant), _ right: (key: MemberID, value: Instant)
    ) -> Bool {
        (left.value, left.key) < (right.value, right.key)
    }

    /// Whether `member` lies on the way up the ring from `first` to `last`; all the way round if they are one.
    private static func isBetween(_ first: MemberID, _ member: MemberID, _ last: MemberID) -> Bool {
        first < last ? first < member && member < last : member > first || member < last
    }
}
