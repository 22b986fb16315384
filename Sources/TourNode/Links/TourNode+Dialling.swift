import NIOCore
import TourCrypto
import TourDiscovery
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourStore
import TourTransport

// Announcing ourselves, and dialling what we discover.
extension TourNode {
    func discovered(_ event: DiscoveryEvent) {
        if case .state(let state) = event { discoveryState = state }
        addressBook.apply(event)
        if case .found = event { dialSoon() }
    }

    func dial() {
        guard transport != nil, !isStopping else { return }
        for session in sessions.values where session.wantsLinks {
            let left = Set(session.group.roster.members.values.filter { !$0.isActive }.map(\.id))
            let overlay = overlay(of: session)
            let places = candidates(of: session, isAlone: overlay.links.isEmpty)
            let targets = dialer.due(
                for: session.tour, among: places, overlay: overlay, left: left, now: NodeClock.now, using: &rng)
            for target in targets { dial(target, session) }
        }
        if dialer.isCrowded { dialer.forget(except: addressBook.addresses) }
        joining.dial(joiningHost)
        discovery?.set(discoveryEffort())
    }

    /// Discovery looks for addresses while somebody waits to join, or a member is present, has no link to us, and
    /// named no address in a beacon. It rests where beacons tell of everybody: others may be heard of by records alone.
    func discoveryEffort() -> DiscoveryEffort {
        let (wanting, now) = (sessions.values.filter(\.wantsLinks), NodeClock.now)
        let (tours, hasBeacons) = (wanting.map(\.tour), settings.usesMulticast && !networks.isEmpty)
        let waits = addressBook.wish.leavesItToBeacons(in: tours, hasBeacons: hasBeacons, now: now)
        if wanting.isEmpty || joining.isSeeking || asking.isSeeking(now: now) { return .seek }
        func isKnown(_ member: MemberID, _ tour: TourID) -> Bool {
            addressBook.isAnnounced(member, of: tour) { dialer.hasFailed($0, for: tour) }
        }
        let isWanted = wanting.contains { session in overlay(of: session).lacksAddress { isKnown($0, session.tour) } }
        if addressBook.wish.asks(isWanted, hasBeacons: hasBeacons, now: now), !waits { return .seek }
        let isWhole = wanting.allSatisfy { one in
            addressBook.wish.hears(in: one.tour, now: now) && one.unlinked.allSatisfy { isKnown($0, one.tour) }
        }
        return isWhole || waits ? .rest : .watch
    }

    func candidates(of session: TourSession, isAlone: Bool = false) -> [Dialer.Candidate] {
        addressBook.places(of: session.tour, tags: expectedTags(of: session), isAlone: isAlone) {
            dialer.hasFailed($0, for: session.tour)
        }
    }

    private func dial(_ target: Dialer.Target, _ session: TourSession) {
        guard let transport, let credential = session.credential(for: target, datagramPort: paths.number) else {
            return
        }
        transport.dial(
            host: target.address.host, port: target.address.port, intent: .member(credential), salt: Hello.randomSalt()
        )
        .whenComplete { [weak self] result in
            self?.assumeIsolated { node in
                switch result {
                case .success(let connection):
                    node.connections[ObjectIdentifier(connection)] = Connected(
                        connection: connection, tour: nil, link: nil, target: target)
                case .failure: node.failed(target)
                }
            }
        }
    }

    func failed(_ target: Dialer.Target) {
        dialer.failed(target, now: NodeClock.now, using: &rng)
        sessions[target.tour]?.epochChoice.recordFailure(at: target.address)
        notifyDiscovery(ofUnreachable: target.address)
    }

    /// No member answered here: discovery looks up the other addresses of the services announced at this one.
    func notifyDiscovery(ofUnreachable address: Dialer.Address) {
        for instance in addressBook.instances(at: address) { discovery?.unreachable(instance: instance) }
    }

    /// Remembers an address that led to a member: it is dialled again after a restart, with mDNS or without.
    func remember(_ target: Dialer.Target?, _ session: TourSession) {
        guard let target else { return }
        session.epochChoice.recordSuccess(at: target.address)
        addressBook.remember(target.address, of: session.tour)
        let address = RememberedAddress(
            address: target.address.host, port: target.address.port, usedAt: NodeClock.wallMilliseconds)
        do { try store.rememberAddress(session.tour, address) } catch { count(error) }
    }

    /// Our tours, the one used last first.
    private var recentSessions: [TourSession] {
        sessions.values
            .filter(\.wantsLinks)
            .sorted { ($0.record.usedAt, $0.tour) > ($1.record.usedAt, $1.tour) }
    }

    /// Those for which this node answers people who ask: as many as a record names.
    var askedSessions: [TourSession] {
        Array(recentSessions.filter(\.answersAskers).prefix(Limits.askTagsMax))
    }

    /// Publishes the port and the tags of the tours used last; if only the tags changed, updates the service in
    /// place.
    func advertise() {
        guard let discovery, port > 0, !isStopping else { return }
        let slot = DiscoveryTag.slot(unixSeconds: NodeClock.wallMilliseconds / 1_000)
        let recent = recentSessions
        var tags = recent.prefix(4).compactMap { session in
            session.memberCredentials().first.map { DiscoveryTag(secret: $0.secret, kind: .member, slot: slot).value }
        }
        let wall = NodeClock.wallMilliseconds
        let invites = recent.filter { !$0.isOut }.prefix(1).flatMap { session in
            session.group.roster.invites.values
                .filter { $0.isOpen(wallMilliseconds: wall) && !session.group.roster.isClosed }
                .compactMap { invite in session.joinSecret(of: invite).map { (invite, $0) } }
        }
        // The one that most will come by: codes of a few minutes are not looked for on the network.
        func order(_ invite: InviteState) -> (Int64, LogicalClock, EventID) {
            (invite.expiresAt ?? .max, invite.createdAt, invite.event)
        }
        if let newest = invites.max(by: { order($0.0) < order($1.0) }) {
            tags.append(DiscoveryTag(secret: newest.1, kind: .invite, slot: slot).value)
        }
        let asks = askedSessions.compactMap { $0.askTag(slot: slot)?.value }
        let wanted = Advertisement(port: UInt16(clamping: port), tags: tags, asks: asks, host: guestsName)
        guard wanted != advertised else { return }
        advertised = wanted
        discovery.advertise(wanted)
    }
}
