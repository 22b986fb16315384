import TourModel

/// Which links one node wants in one tour, judged from who is believed present and who is linked.
///
/// Connectivity is by construction: on every network that it is in a node wants links to its two neighbours on the ring
/// of the members present there, in the order of their ids (which are hashes), and never gives these up; some links
/// more keep the ways short. Pure: the shell says what is so, dials, accepts and closes.
/// Source: `Protocol/06-replication.md`, "Overlay".
package struct Overlay: Hashable, Sendable {
    /// What to say to a member that dialled us.
    package enum Answer: Hashable, Sendable {
        case accept
        /// There are links enough: `Bye {"full"}`.
        case refuse
        /// Take it, and give up the link to this member.
        case replace(MemberID)
    }

    /// How much a link is wanted that has to be dialled.
    package enum Urgency: Int, Comparable, Sendable {
        case neighbour, filling

        package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    package let own: MemberID
    /// Guides and nodes with several networks carry more.
    package let isHub: Bool
    /// The linked members, since when.
    package var links: [MemberID: Instant]
    /// The others believed present, on whichever network.
    private let present: Set<MemberID>
    /// One for each of our networks; nil where nobody else is present.
    private let rings: [Ring?]
    /// Where addresses are in sight at which members answered lately, by the places of `rings`.
    private let sights: [MemberID: Set<Int>]

    /// Who is next to us on one network's ring; of two members present both are the other.
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

    /// On one network.
    /// - Parameter present: the members that are there and can be dialled, as far as is known. Whoever is linked is.
    package init(own: MemberID, isHub: Bool, present: Set<MemberID>, links: [MemberID: Instant]) {
        self.init(own: own, isHub: isHub, rings: [present.union(links.keys)], links: links)
    }

    /// - Parameter rings: the members present on each of our networks. A linked member is on those that its link is on:
    ///   elsewhere it must not stand before somebody who has nobody else there.
    /// - Parameter sights: on which of these networks addresses are in sight at which members answered lately.
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

    /// The next and the previous on each ring.
    package var neighbours: Set<MemberID> { Set(rings.compactMap(\.self).flatMap { [$0.successor, $0.predecessor] }) }

    /// Whether somebody who answered somewhere before is missing now.
    func isAbsent(_ member: MemberID) -> Bool { member != own && !present.contains(member) }

    /// How many others are believed present.
    package var presentCount: Int { present.count }

    /// How many links are worth dialling for. In a small tour everybody links with everybody.
    package var dialTarget: Int {
        present.count <= Limits.smallTourMax ? Limits.smallTourMax : Limits.linksDialTarget
    }

    /// How many links are kept; more only of neighbours, and for a while.
    package var acceptMax: Int { isHub ? Limits.hubLinksAcceptMax : Limits.linksAcceptMax }

    /// Links that are still worth dialling for.
    package var room: Int { max(0, dialTarget - links.count) }

    /// Whether the member is next to us on a ring, or would be if it were present: who is absent is looked for by those
    /// between whom it is missing.
    package func isNeighbour(_ member: MemberID) -> Bool {
        guard member != own else { return false }
        if present.contains(member) { return rings.contains { $0?.names(member) ?? false } }
        // Where nobody else is present whoever is in sight is next to us, however many there are on other networks.
        if sights[member]?.contains(where: { rings[$0] == nil }) == true { return true }
        let others = rings.compactMap(\.self)
        return others.isEmpty || others.contains { $0.hasGap(for: member, beside: own) }
    }

    /// Whether a neighbour is present that has no link.
    package var lacksNeighbour: Bool { neighbours.contains { links[$0] == nil } }

    /// Whether somebody who is present is to be linked and is not.
    package var lacksLinks: Bool { links.isEmpty || lacksNeighbour || room > 0 && present.count > links.count }

    /// - Parameter member: who answered at an address the last time; nil if nobody did yet.
    /// - Returns: nil if the address is not worth dialling now.
    package func urgency(of member: MemberID?) -> Urgency? {
        guard let member else { return room > 0 ? .filling : nil }
        guard member != own, links[member] == nil else { return nil }
        if isNeighbour(member) { return .neighbour }
        return room > 0 ? .filling : nil
    }

    /// Whether a link that we dialled is still wanted, now that it is known who answers. Somebody who was not known to
    /// be present may be the way to others like it.
    package func wants(_ member: MemberID) -> Bool {
        guard member != own, links[member] == nil else { return false }
        return room > 0 || isNeighbour(member) || !present.contains(member) && links.count < Limits.linksMax
    }

    /// What to say to a member that dialled us and has no link yet.
    package func answer(to member: MemberID) -> Answer {
        if links.count < acceptMax { return .accept }
        // Whom nobody reached so far may be able to reach nobody else.
        let isStranger = !present.contains(member)
        if isStranger, links.count < Limits.linksMax { return .accept }
        guard isStranger || isNeighbour(member) else { return .refuse }
        if let newest = newestSpare { return .replace(newest) }
        return links.count < Limits.linksMax ? .accept : .refuse
    }

    /// The link to give up now, if there are too many: the newest that is no neighbour's and has stood for a while.
    /// Asked once a second, so that links go one by one and what they meant can show.
    package func surplus(now: Instant) -> MemberID? {
        guard links.count > acceptMax else { return nil }
        return spare.filter { now - $0.value >= Limits.linkSettleTime }.max(by: Self.isOlder)?.key
    }

    /// The first link to go when a better one comes.
    var newestSpare: MemberID? { spare.max(by: Self.isOlder)?.key }

    /// Links that no ring needs.
    private var spare: [MemberID: Instant] { links.filter { !isNeighbour($0.key) } }

    private static func isOlder(
        _ left: (key: MemberID, value: Instant), _ right: (key: MemberID, value: Instant)
    ) -> Bool {
        (left.value, left.key) < (right.value, right.key)
    }

    /// Whether `member` is met on the way up the ring from `first` before `last`; all the way round if they are one.
    private static func isBetween(_ first: MemberID, _ member: MemberID, _ last: MemberID) -> Bool {
        first < last ? first < member && member < last : member > first || member < last
    }
}
