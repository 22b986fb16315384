import Logging
import TourBlob
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Links: who may connect, what becomes of an open link, and messages that arrive on it.
extension TourNode: LinkOwner {
    package nonisolated var surroundings: LinkMachine.Surroundings {
        LinkMachine.Surroundings(
            now: NodeClock.now,
            standing: { [unowned self] tour, key in assumeIsolated { $0.standing(of: key, in: tour) } },
            credentials: { [unowned self] in assumeIsolated { $0.credentials } })
    }

    package nonisolated var helloGuard: HelloGuard {
        get { assumeIsolated { $0.hellos } }
        set { assumeIsolated { $0.hellos = newValue } }
    }

    package nonisolated func admits(address: String) -> Bool { assumeIsolated { $0.hasRoom(for: address) } }

    package nonisolated func accepted(_ connection: LinkConnection) {
        assumeIsolated { $0.connections[ObjectIdentifier(connection)] = Connected(connection: connection) }
    }

    package nonisolated func met(_ connection: LinkConnection, _ tour: TourID, _ key: LinkKey) {
        assumeIsolated { node in
            // If several members share one key, only the bind tells which of them this is.
            guard let session = node.sessions[tour], case .members(let members) = node.standing(of: key, in: tour),
                members.count == 1, let member = members.first
            else { return }
            node.linkMet(connection, member, session)
        }
    }

    package nonisolated func opened(_ connection: LinkConnection, _ peer: LinkPeer) {
        assumeIsolated { $0.linkOpened(connection, peer) }
    }

    package nonisolated func openedForAsking(_ connection: LinkConnection, _ link: AskLink) {
        assumeIsolated { node in
            node.asking.opened(ObjectIdentifier(connection), link, from: connection.address, node.askingHost)
        }
    }

    package nonisolated func received(_ message: LinkMessage, on connection: LinkConnection) {
        assumeIsolated { $0.arrived(message, connection) }
    }

    package nonisolated func pressureChanged(_ connection: LinkConnection, isLagging: Bool) {
        assumeIsolated { node in
            guard let (session, link) = node.place(of: connection) else { return }
            node.feed(session, .pressure(link, isLagging: isLagging))
        }
    }

    package nonisolated func closed(_ connection: LinkConnection, _ fault: LinkFault?) {
        assumeIsolated { $0.linkClosed(connection, fault) }
    }

    private func standing(of key: LinkKey, in tour: TourID) -> PeerStanding {
        sessions[tour]?.group.roster.standing(of: key) ?? .unknown
    }

    /// The secrets that a stranger's hello is tried against: each tour's link secrets, and the join secrets of open
    /// invites.
    private var credentials: [LinkCredential] {
        var list = [LinkCredential]()
        let wall = NodeClock.wallMilliseconds
        for session in sessions.values where session.wantsLinks {
            list += session.memberCredentials(datagramPort: paths.number)
            // A member that is out of the tour admits nobody, and does not speak for the tour.
            guard !session.isOut else { continue }
            for invite in session.answeredInvites(beside: list.count, wallMilliseconds: wall) {
                guard let secret = session.joinSecret(of: invite) else { continue }
                list.append(
                    LinkCredential(
                        tour: session.tour, purpose: .invite(invite.key), secret: secret, keys: session.linkKeys,
                        genesis: session.group.genesisEvent.bytes))
            }
        }
        // Tried last: members and joiners come first.
        let slot = DiscoveryTag.slot(unixSeconds: wall / 1_000)
        let asks = askedSessions.flatMap { $0.askCredentials(slot: slot) }
        return Array(list.prefix(Limits.credentialsMax - asks.count)) + asks
    }

    private func hasRoom(for address: String) -> Bool {
        guard !isStopping else { return false }
        // Ask links have bounds of their own, and take no place of those who are about to prove a secret.
        let unfinished = connections.filter {
            $0.value.link == nil && $0.value.connection.direction == .inbound && $0.value.connection.asking == nil
        }
        let inboundLimits = InboundLimits(
            unfinished.map { id, connected in
                let connection = connected.connection
                return .init(
                    id: id, address: connection.address, openedAt: connection.openedAt,
                    isStranger: connection.isStranger)
            })
        let verdict = inboundLimits.verdict(on: address)
        if verdict != .admitted { count(ConnectionRefused()) }
        if case .admittedFor(let silent) = verdict { connections[silent]?.connection.close(saying: .closing) }
        return verdict != .refused
    }

    private func linkOpened(_ connection: LinkConnection, _ peer: LinkPeer) {
        switch peer.kind {
        case .joiner(let request): answer(request, connection, peer.tour)
        case .host: break
        case .former(let member): sendEnding(to: member, connection, peer.tour)
        case .restricted(let member) where sessions[peer.tour]?.hearing(of: peer) == .ending:
            sendEnding(to: member, connection, peer.tour)
        case .member(let member), .restricted(let member): memberLinkOpened(connection, peer, member)
        }
    }

    /// A peer that is out of the tour and may not know it: sends it the events that say so, and nothing else.
    private func sendEnding(to member: MemberID, _ connection: LinkConnection, _ tour: TourID) {
        guard let session = sessions[tour], member != session.own,
            let reason = session.group.roster.members[member].flatMap(Self.farewell)
        else { return connection.close(saying: .closing) }
        let id = ObjectIdentifier(connection)
        if let target = connections[id]?.target { dialer.reached(target, member, isSelf: false, now: NodeClock.now) }
        connections[id]?.target = nil
        for batch in ControlBatches.cut(session.group.ending(of: member)) { connection.send(.control(batch)) }
        connection.close(saying: reason)
    }

    private func memberLinkOpened(_ connection: LinkConnection, _ peer: LinkPeer, _ member: MemberID) {
        guard let session = sessions[peer.tour] else { return connection.close(saying: .closing) }
        guard session.machine.acceptsLinks(now: NodeClock.now) else { return connection.close(saying: .closing) }
        let target = connections[ObjectIdentifier(connection)]?.target
        if let target { dialer.reached(target, member, isSelf: member == session.own, now: NodeClock.now) }
        connections[ObjectIdentifier(connection)]?.target = nil
        guard member != session.own else { return connection.close(saying: .duplicate) }
        guard keeps(connection, to: member, session) else { return }
        let link = LinkID(value: nextLink)
        nextLink += 1
        session.connections[link] = connection
        connections[ObjectIdentifier(connection)]?.tour = session.tour
        connections[ObjectIdentifier(connection)]?.link = link
        remember(target, session)
        joinSegments()
        keepPath(of: connection, peer, link, session)
        feed(session, .linkOpened(link, peer, hasPath: paths.ownPaths[link] != nil))
    }

    private func arrived(_ message: LinkMessage, _ connection: LinkConnection) {
        if case .host = connection.peer?.kind {
            return joining.receive(message, on: ObjectIdentifier(connection), from: connection.peer, joiningHost)
        }
        if let link = connection.asking {
            guard case .ask(let message) = message else { return }
            return asking.receive(message, on: ObjectIdentifier(connection), isAsker: link.isAsker, askingHost)
        }
        guard let (session, link) = place(of: connection) else { return }
        feed(session, TourInput.message(link, message))
        switch message {
        case .synced(let rows): session.sync.receive(rows, from: link, mailboxHost)
        case .blob(let message): session.files.receive(message, on: link)
        case .castAsks(let asks): session.files.casts.receive(asks, on: link)
        case .bye(let reason):
            if reason == .left { leaveWasTold(in: session) }
            connections[ObjectIdentifier(connection)]?.ending = reason
            connection.close(saying: .closing)
        // The machine has handled all others.
        default: break
        }
    }

    private func linkClosed(_ connection: LinkConnection, _ fault: LinkFault?) {
        if let fault {
            count(fault)
            logger.debug("link closed", metadata: ["code": "\(fault.code)", "address": "\(connection.address)"])
        }
        guard let connected = connections.removeValue(forKey: ObjectIdentifier(connection)) else { return }
        joining.connectionClosed(
            ObjectIdentifier(connection), hasPeer: connection.peer != nil, fault, joiningHost)
        asking.closed(ObjectIdentifier(connection), askingHost)
        if let target = connected.target { failed(target) }
        guard let tour = connected.tour, let link = connected.link, let session = sessions[tour] else { return }
        session.connections[link] = nil
        paths.remove(link)
        feed(session, .linkClosed(link))
        session.files.linkDown(link)
        if let member = connection.peer.flatMap({ session.member(of: $0) }) {
            linkEnded(member, connected.ending, session)
        }
    }

    func place(of connection: LinkConnection) -> (TourSession, LinkID)? {
        guard let connected = connections[ObjectIdentifier(connection)], let tour = connected.tour,
            let link = connected.link, let session = sessions[tour]
        else { return nil }
        return (session, link)
    }

    /// Control events are applied: the roster may have grown or shrunk.
    func rosterChanged(_ events: [Event], _ session: TourSession) {
        reviewWords(after: events, session)
        if session.isOut { session.joiners.endStandingWaits() }
        notifyOfRosterChange(in: session)
        session.reviewNameWait()
        advertise()
    }

    /// Reviews events of members whose rank at that time we learnt only now: they may be shown, and may name the
    /// tour.
    private func reviewWords(after events: [Event], _ session: TourSession) {
        let roles = session.group.ranks(in: events)
        guard !roles.isEmpty else { return }
        for role in roles { notifyOfChange(role.member, role.sequence + 1...UInt64.max, session) }
        let members = Set(roles.map(\.member))
        let profiles = (try? store.profileEvents(session.tour)) ?? []
        for profile in profiles where members.contains(profile.event.header.author) {
            session.decorate(profile.event, archived: profile.archived)
        }
        readAnnounced(of: session)
    }

    /// Why the link to a member ends; nil while it is in the tour.
    private static func farewell(_ member: Member) -> ByeReason? {
        if member.isActive { return nil }
        return member.hasLeft ? .left : .removed
    }
}

/// A connection was refused, or closed to make room for another: too many handshakes are in progress.
struct ConnectionRefused: Fault {
    let code = "connection-refused"
    let scope = FaultScope.link
}
