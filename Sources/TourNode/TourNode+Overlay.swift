import TourCrypto
import TourDiscovery
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourTransport
import TourWire

// Which links a tour keeps. Source: `Protocol/06-replication.md`, "Overlay".
extension TourNode {
    func overlay(of session: TourSession) -> Overlay {
        let now = NodeClock.now
        var links = [MemberID: Instant]()
        for connection in session.connections.values {
            // Whom the roster does not name yet has no place on the ring: anybody could make up ids.
            if case .member(let member) = connection.peer?.kind { links[member] = connection.openedAt }
        }
        let inReach = dialer.membersInReach(of: session.tour, tags: expectedTags(of: session))
        var present = Set<MemberID>()
        for member in session.group.roster.active where session.isPresent(member.id, now: now) {
            if inReach?.contains(member.id) ?? true { present.insert(member.id) }
        }
        return Overlay(
            own: session.own, isHub: session.rank.leads || networks.count > 1, present: present, links: links)
    }

    func expectedTags(of session: TourSession) -> Set<UInt64> {
        session.expectedTags(slot: DiscoveryTag.slot(unixSeconds: NodeClock.wallMilliseconds / 1_000))
    }

    /// It is known who answers a dial, and nothing of us yet: whom we do not need is left alone.
    func linkMet(_ connection: LinkConnection, _ member: MemberID, _ session: TourSession) {
        let id = ObjectIdentifier(connection)
        guard let target = connections[id]?.target else { return }
        let isSelf = member == session.own
        guard isSelf || !overlay(of: session).wants(member) else { return }
        dialer.reached(target, member, isSelf: isSelf, now: NodeClock.now)
        connections[id]?.target = nil
        connection.close(saying: .full)
    }

    /// Whether a link that opens is kept. Another one may end for it.
    func keeps(_ connection: LinkConnection, _ peer: LinkPeer, to member: MemberID, _ session: TourSession) -> Bool {
        if let (_, other) = session.connection(to: member) {
            // Who dials after a while has lost the old link, whatever we think of it.
            let isOldLost = NodeClock.now - other.openedAt > Limits.simultaneousDialMax
            guard isOldLost || Self.prefersNew(connection, to: other, own: session.own, member) else {
                connection.close(saying: .duplicate)
                return false
            }
            end(other, saying: .duplicate)
            return true
        }
        if takes(member, peer, session) { return true }
        connection.close(saying: .full)
        return false
    }

    private func takes(_ member: MemberID, _ peer: LinkPeer, _ session: TourSession) -> Bool {
        // Of whom nothing is known but the link secret, no link of another goes.
        if case .restricted = peer.kind { return session.connections.count < Limits.linksMax }
        let overlay = overlay(of: session)
        if peer.isInitiator { return overlay.wants(member) }
        switch overlay.answer(to: member) {
        case .accept: return true
        case .refuse: return false
        case .replace(let newest):
            if let (_, other) = session.connection(to: newest) { end(other, saying: .full) }
            return true
        }
    }

    /// Of two links between the same two, the one that the lower member dialled stays; of two that one dialled, the
    /// newer.
    private static func prefersNew(
        _ new: LinkConnection, to old: LinkConnection, own: MemberID, _ member: MemberID
    ) -> Bool {
        if new.direction == old.direction { return true }
        return (new.direction == .outbound) == (own < member)
    }

    /// Ends an open link for a reason that does not mean that the peer is gone.
    func end(_ connection: LinkConnection, saying reason: ByeReason) {
        connections[ObjectIdentifier(connection)]?.ending = reason
        connection.close(saying: reason)
    }

    /// The link to a member has ended, by whoever's wish.
    func linkEnded(_ member: MemberID, _ reason: ByeReason?, _ session: TourSession) {
        guard session.connection(to: member) == nil else { return }
        let now = NodeClock.now
        switch reason {
        case .full: dialer.declined(member, of: session.tour, now: now)
        case .duplicate, .rehandshake: dialer.lost(member, of: session.tour, now: now)
        default:
            // Its old claims may still go round: it is present again when something newer comes.
            if session.group.roster.members[member] != nil { session.lostAt[member] = now }
            dialer.lost(member, of: session.tour, now: now)
        }
        dialSoon()
    }

    /// Once a second: at most one link of a tour that has too many.
    func trimLinks() {
        let now = NodeClock.now
        for session in sessions.values where session.connections.count > Limits.linksAcceptMax {
            guard let member = overlay(of: session).surplus(now: now),
                let (_, connection) = session.connection(to: member)
            else { continue }
            end(connection, saying: .full)
        }
    }

    /// Once a second: links over an address that went say nothing of it, and after a sleep those that ended meanwhile
    /// show it when something is sent.
    func noticeNetworkChange(now: Instant) {
        let hasSlept = lastTick.map { now - $0 > Self.sleepMin } ?? false
        lastTick = now
        let current = NetworkInterface.select(from: NetworkInterface.current(), chosen: settings.interfaces)
        guard hasSlept || current != networks else { return }
        let lost = Set(networks.flatMap(\.addresses)).subtracting(current.flatMap(\.addresses))
        networks = current
        refreshAir()
        for connected in connections.values where connected.link != nil {
            if lost.contains(connected.connection.localAddress) {
                connected.connection.close(saying: .closing)
            } else if hasSlept {
                connected.connection.send(.ping)
            }
        }
        dialer.networkChanged(now: now)
        dialSoon()
    }

    /// The clockwork ticks once a second: after a gap of this length the machine slept.
    private static let sleepMin: Duration = .seconds(5)
}
