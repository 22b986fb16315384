import NIOCore
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
import TourWords

// Joining with a code: whom to ask, and how to handle the answers. Source: `Protocol/07-joining.md`.
extension TourNode {
    /// Dials for every join in progress: first nodes that announce the invite's tag, then every other node in sight.
    func dialForJoins() {
        let now = NodeClock.now
        let slot = DiscoveryTag.slot(unixSeconds: NodeClock.wallMilliseconds / 1_000)
        for attempt in joins.values where attempt.busy < Dialer.atOnceMax {
            let tags = AddressBook.tags(attempt.ticket.secret.joinSecret, .invite, around: slot)
            let addresses = attempt.given + attempt.heard + addressBook.candidates(matching: tags)
            for address in Self.order(addresses, attempt.asked) {
                guard attempt.busy < Dialer.atOnceMax else { break }
                // An address may be listed twice.
                if let last = attempt.asked[address], now - last < Self.joinRetry { continue }
                attempt.asked[address] = now
                dial(address, attempt)
            }
        }
    }

    /// Addresses not asked yet, then the others, the one asked longest ago first: a few that never answer do not keep
    /// the rest from their turn.
    private static func order(
        _ addresses: [Dialer.Address], _ asked: [Dialer.Address: Instant]
    ) -> [Dialer.Address] {
        let fresh = addresses.filter { asked[$0] == nil }
        let again = addresses.compactMap { address -> (address: Dialer.Address, at: Instant)? in
            asked[address].map { (address: address, at: $0) }
        }
        return fresh + again.sorted { $0.at < $1.at }.map(\.address)
    }

    /// How soon a member that did not answer is asked again.
    private static var joinRetry: Duration { .seconds(2) }

    private func dial(_ address: Dialer.Address, _ attempt: JoinAttempt) {
        guard let transport else { return }
        let salt = Hello.randomSalt()
        let id = attempt.id
        attempt.dialling += 1
        transport.dial(host: address.host, port: address.port, intent: .join(attempt.ticket), salt: salt)
            .whenComplete { [weak self] result in
                self?.assumeIsolated { node in
                    node.joins[id]?.dialling -= 1
                    guard case .success(let connection) = result else {
                        node.notifyDiscovery(ofUnreachable: address)
                        // There is room for the next address.
                        return node.dialSoon()
                    }
                    node.connections[ObjectIdentifier(connection)] = Connected(connection: connection)
                    guard let asking = node.joins[id] else { return connection.close(saying: .closing) }
                    asking.hosts[ObjectIdentifier(connection)] = JoinAttempt.Host(address: address)
                }
            }
    }

    /// A member's answer to our request: the control events, then the keys; or a refusal.
    func joinMessage(_ message: LinkMessage, _ connection: LinkConnection) {
        let id = ObjectIdentifier(connection)
        guard let attempt = joins.values.first(where: { $0.hosts[id] != nil }) else {
            return connection.close(saying: .closing)
        }
        switch message {
        case .control(let events):
            let bytes = events.reduce(attempt.hosts[id]?.controlBytes ?? 0) { $0 + $1.count }
            guard bytes <= Limits.joinControlBytesMax else { return connection.close(saying: .closing) }
            attempt.hosts[id]?.controlBytes = bytes
            attempt.hosts[id]?.controls += events
        case .welcome(let epochs):
            guard let host = attempt.hosts[id], let peer = connection.peer else { return }
            connection.close(saying: .closing)
            guard let group = Self.welcomed(attempt.keys.memberID, by: peer, host.controls, epochs) else {
                // One host that sends nonsense does not end the search: the next member is asked.
                attempt.refusal = Self.falseTour
                return
            }
            finish(attempt, Result { try enter(group, attempt, host.address) })
        case .joinRefusal(let refusal):
            connection.close(saying: .closing)
            let error = NodeError(refusal.rawValue, refusal.words)
            attempt.refusal = error
            // Other members give the same answer, unless their clocks differ: only `expired` does not end the search.
            if refusal != .expired { finish(attempt, .failure(error)) }
        default: break
        }
    }

    private static var falseTour: NodeError {
        NodeError("false-tour", Phrase("A node answered that does not belong to the tour of this code."))
    }

    /// Builds the tour from a member's answer.
    /// - Returns: nil unless the member and we are in the tour, and a key opens it.
    private static func welcomed(
        _ own: MemberID, by peer: LinkPeer, _ controls: [[UInt8]], _ epochs: [EpochSecret]
    ) -> TourGroup? {
        guard case .host(let identity, let genesis) = peer.kind, var group = try? TourGroup(genesis: genesis) else {
            return nil
        }
        _ = group.add(controls: controls)
        for epoch in epochs { group.learn(epoch: epoch.epoch, key: SecretBytes(epoch.key.bytes)) }
        let host = MemberID(identity: identity)
        guard group.currentEpoch != nil, group.roster.members[host]?.linkKey == peer.linkKey,
            group.roster.members[own] != nil
        else { return nil }
        return group
    }

    private func enter(_ group: TourGroup, _ attempt: JoinAttempt, _ address: Dialer.Address) throws -> TourID {
        // Two codes of one tour may be in use at once. A tour that we left is joined anew once everything that we
        // wrote in it is on the disk.
        if let known = sessions[group.tour], known.isMember || known.machine.isWriting {
            throw NodeError.alreadyMember(known.record.name)
        }
        let session = try found(group, attempt.keys, name: String(group.tour.hex.prefix(8)))
        keep(attempt.ticket.secret, in: session)
        addressBook.remember(address, of: session.tour)
        dialer.forget(Dialer.Target(address: address, tour: session.tour))
        dialSoon()
        return session.tour
    }

    func joinConnectionClosed(_ connection: LinkConnection, _ fault: LinkFault?) {
        let id = ObjectIdentifier(connection)
        for attempt in joins.values {
            guard let host = attempt.hosts.removeValue(forKey: id) else { continue }
            // The address accepted the connection and no more: no member for this code, or no member at all.
            if connection.peer == nil { notifyDiscovery(ofUnreachable: host.address) }
            if fault == .falseTour { attempt.refusal = Self.falseTour }
            // There is room for the next address.
            dialSoon()
        }
    }

    /// A join is one question and its answer: a joiner that keeps the link for longer occupies a place that others
    /// need.
    static func isOverdueJoin(_ connection: LinkConnection, now: Instant) -> Bool {
        guard let peer = connection.peer, now - connection.openedAt > Limits.joinLinkLifetime else { return false }
        switch peer.kind {
        case .joiner, .host: return true
        case .member, .restricted, .former: return false
        }
    }
}

extension JoinRefusal {
    /// In words for the user.
    fileprivate var words: Phrase {
        switch self {
        case .revoked: Phrase("This code was revoked.")
        case .expired: Phrase("This code has expired.")
        case .usedUp: Phrase("This code has been used as often as it may be.")
        case .closed: Phrase("This tour is over.")
        case .full: Phrase("This tour is full.")
        case .invalid: Phrase("The member that answered does not accept this code. Ask the guide for a new one.")
        }
    }
}
