import TourCrypto
import TourDiscovery
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// The links that a tour keeps. Source: `Protocol/06-replication.md`, "Overlay".
extension TourNode {
    func overlay(of session: TourSession) -> Overlay {
        // Without a network there is still one ring.
        let indices = networks.isEmpty ? [0] : networks.map { Int($0.index) }
        let links = session.connections.values.compactMap { connection -> KeptLink? in
            guard case .member(let member) = connection.peer?.kind else { return nil }
            let carrying = networks.filter { $0.addresses.contains(connection.localAddress) }
            return KeptLink(
                member: member, openedAt: connection.openedAt,
                networks: Set(carrying.isEmpty ? indices : carrying.map { Int($0.index) }))
        }
        return Overlay(
            of: session.machine, links: links, networks: indices, places: candidates(of: session), dialer: dialer,
            now: NodeClock.now)
    }

    func expectedTags(of session: TourSession) -> Set<UInt64> {
        session.expectedTags(slot: DiscoveryTag.slot(unixSeconds: NodeClock.wallMilliseconds / 1_000))
    }

    /// We know which member answered a dial, and have not shown who we are: closes the connection to a member that we
    /// do not need.
    func linkMet(_ connection: LinkConnection, _ member: MemberID, _ session: TourSession) {
        let id = ObjectIdentifier(connection)
        guard let target = connections[id]?.target else { return }
        let isSelf = member == session.own
        guard isSelf || !overlay(of: session).wants(member) else { return }
        dialer.reached(target, member, isSelf: isSelf, now: NodeClock.now)
        connections[id]?.target = nil
        connection.close(saying: .full)
    }

    /// Whether to keep a link that opens. May end another link in its favour.
    func keeps(_ connection: LinkConnection, to member: MemberID, _ session: TourSession) -> Bool {
        let old = session.connection(to: member)?.1
        let verdict = overlay(of: session).verdict(
            on: Self.facts(connection), to: member, beside: old.map(Self.facts),
            openCount: session.connections.count, now: NodeClock.now)
        switch verdict {
        case .keep: break
        case .replaceOther:
            if let old { end(old, saying: .duplicate) }
        case .replace(let given):
            if let (_, other) = session.connection(to: given) { end(other, saying: .full) }
        case .refuse(let reason):
            connection.close(saying: reason)
            return false
        }
        return true
    }

    private static func facts(_ connection: LinkConnection) -> LinkFacts {
        var isRestricted = false
        if case .restricted = connection.peer?.kind { isRestricted = true }
        return LinkFacts(
            isOutbound: connection.direction == .outbound, isRestricted: isRestricted, openedAt: connection.openedAt)
    }

    /// Ends an open link for a reason that does not mean that the peer is gone.
    func end(_ connection: LinkConnection, saying reason: ByeReason) {
        connections[ObjectIdentifier(connection)]?.ending = reason
        connection.close(saying: reason)
    }

    /// The link to a member has ended, whichever side ended it.
    func linkEnded(_ member: MemberID, _ reason: ByeReason?, _ session: TourSession) {
        guard session.connection(to: member) == nil else { return }
        _ = dialer.linkEnded(to: member, of: session.machine, saying: reason, now: NodeClock.now)
        if reason != .rehandshake { notifyOfNoLinks(session) }
        dialSoon()
    }

    /// Reports the first link of a tour to observers. Checked once a second, so that the names are known by then.
    func notifyOfFirstLink(in session: TourSession, now: Instant) {
        guard !session.hasSentLink else { return }
        let linked = session.connections.values.compactMap { connection -> (member: MemberID, openedAt: Instant)? in
            connection.peer.flatMap { session.member(of: $0) }.map { ($0, connection.openedAt) }
        }
        let known = linked.filter { session.group.roster.members[$0.member] != nil }
        let isNamed = known.allSatisfy { session.names[$0.member] != nil } && session.isNamed
        guard let first = known.min(by: { $0.openedAt < $1.openedAt }),
            isNamed || now - first.openedAt >= Self.linkNameDelayMax
        else { return }
        session.hasSentLink = true
        let name = session.view(store).distinctName(of: first.member)
        moments?.yield(.linked(name, tour: session.record.name))
    }

    private static let linkNameDelayMax: Duration = .seconds(5)

    private func notifyOfNoLinks(_ session: TourSession) {
        guard session.hasSentLink, session.connections.isEmpty, !isStopping else { return }
        session.hasSentLink = false
        moments?.yield(.alone(session.record.name, seeksOthers: session.wantsLinks))
    }

    /// Once a second: ends at most one link of each tour that has too many.
    func trimLinks() {
        let now = NodeClock.now
        for session in sessions.values where session.connections.count > Overlay.acceptMax {
            guard let member = overlay(of: session).surplus(now: now),
                let (_, connection) = session.connection(to: member)
            else { continue }
            end(connection, saying: .full)
        }
    }

    /// Once a second: closes links over addresses that we lost, since nothing else reveals their loss, and after a
    /// sleep pings the others, so that dead ones show.
    func noticeNetworkChange(now: Instant) {
        let hasSlept = ticks.last.map { now - $0 > Self.sleepMin } ?? false
        ticks.last = now
        let current = NetworkInterface.select(from: NetworkInterface.current(), chosen: settings.interfaces)
        guard hasSlept || current != networks else { return }
        let lost = Set(networks.flatMap(\.addresses)).subtracting(current.flatMap(\.addresses))
        networks = current
        refreshMulticast()
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

    /// `tick` runs once a second: after a gap of this length the machine slept.
    private static let sleepMin: Duration = .seconds(5)
}
