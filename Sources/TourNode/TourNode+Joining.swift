import NIOCore
import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourStore
import TourTransport
import TourWire

// Coming into a tour with a code. Source: `Protocol/07-joining.md`; drawn in `Protocol/StateMachines/join.dot`.
extension TourNode {
    package struct JoinedTour: Encodable, Sendable {
        package var tourID: String
        package var memberID: String
        package var name: String
    }

    /// Looks for any member of the tour behind a code, asks it in, and stores the tour.
    /// - Parameter text: the code, or a `tour-chat://join/…` link.
    /// - Throws: `InviteCodeError` for a code that is none; `NodeError` saying who refused and why, or that nobody
    ///   answered.
    package func join(_ text: String, name: String?, timeoutSeconds: Int) async throws -> JoinedTour {
        let (code, addresses) = try Self.parse(text)
        if let session = sessions.values.first(where: { code.names($0.tour) && $0.record.active }) {
            throw NodeError("already-member", "This node is in “\(session.record.name)” already.")
        }
        guard !settings.isOffline else {
            throw NodeError("offline", "Joining needs the network: start the node with `tour-chat run`.")
        }
        if let name { _ = try await setName(name) }
        let attempt = JoinAttempt(code: code, given: addresses)
        let tour = try await withCheckedThrowingContinuation { answer in
            attempt.answer = answer
            let id = ObjectIdentifier(attempt)
            joins[id] = attempt
            loop.scheduleTask(in: .seconds(Int64(max(1, timeoutSeconds)))) { [weak self] () -> Void in
                self?.assumeIsolated { $0.expire(id) }
            }
            dial()
        }
        guard let session = sessions[tour] else { throw NodeError.notActive }
        announceName(in: session)
        return JoinedTour(tourID: tour.hex, memberID: session.own.hex, name: session.record.name)
    }

    private static func parse(_ text: String) throws -> (InviteCode, [Dialer.Address]) {
        let scheme = "tour-chat://join/"
        guard text.lowercased().hasPrefix(scheme) else { return (try InviteCode(parsing: text), []) }
        let rest = text.dropFirst(scheme.count)
        let parts = rest.split(separator: "?", maxSplits: 1)
        let code = try InviteCode(parsing: String(parts.first ?? ""))
        let addresses = (parts.count > 1 ? parts[1].split(separator: "&") : [])
            .filter { $0.hasPrefix("a=") }
            .prefix(8)
            .compactMap { Dialer.Address(String($0.dropFirst(2))) }
        return (code, Array(addresses))
    }

    /// Dials for every join under way: who carries the invite's tag first, then every other node that is to be seen.
    func dialForJoins() {
        let now = NodeClock.now
        let slot = DiscoveryTag.slot(unixSeconds: NodeClock.wallMilliseconds / 1_000)
        for attempt in joins.values {
            let tags = Dialer.tags(attempt.ticket.secret.joinSecret, .invite, around: slot)
            for address in attempt.given + dialer.candidates(matching: tags) {
                guard attempt.hosts.count < Limits.dialsAtOnceMax else { break }
                if let last = attempt.asked[address], now - last < Self.joinRetry { continue }
                attempt.asked[address] = now
                dial(address, attempt)
            }
        }
    }

    /// A member that did not answer is asked again after this.
    private static var joinRetry: Duration { .seconds(2) }

    private func dial(_ address: Dialer.Address, _ attempt: JoinAttempt) {
        guard let transport else { return }
        let salt = Hello.randomSalt()
        let key = ObjectIdentifier(attempt)
        transport.dial(host: address.host, port: address.port, intent: .join(attempt.ticket), salt: salt)
            .whenComplete { [weak self] result in
                self?.assumeIsolated { node in
                    guard case .success(let connection) = result else { return }
                    node.connections[ObjectIdentifier(connection)] = Connected(connection: connection)
                    guard let attempt = node.joins[key] else { return connection.close(saying: .closing) }
                    attempt.hosts[ObjectIdentifier(connection)] = JoinAttempt.Host(address: address)
                }
            }
    }

    /// What a member says to our request: the control events, then the keys; or why not.
    func joinMessage(_ message: LinkMessage, _ connection: LinkConnection) {
        let id = ObjectIdentifier(connection)
        guard let attempt = joins.values.first(where: { $0.hosts[id] != nil }) else {
            return connection.close(saying: .closing)
        }
        switch message {
        case .control(let events):
            let bytes = events.reduce(attempt.hosts[id]?.controlBytes ?? 0) { $0 + $1.count }
            guard bytes <= Limits.restrictedLinkBytesMax else { return connection.close(saying: .closing) }
            attempt.hosts[id]?.controlBytes = bytes
            attempt.hosts[id]?.controls += events
        case .welcome(let epochs):
            guard let host = attempt.hosts[id], let peer = connection.peer else { return }
            connection.close(saying: .closing)
            finish(attempt, Result { try enter(attempt, peer, host, epochs) })
        case .joinRefusal(let refusal):
            connection.close(saying: .closing)
            attempt.refusal = NodeError(refusal.rawValue, refusal.words)
            // Another member may know more, except where the rule is the same for all.
            if refusal != .expired, let error = attempt.refusal { finish(attempt, .failure(error)) }
        default: break
        }
    }

    private func enter(
        _ attempt: JoinAttempt, _ peer: LinkPeer, _ host: JoinAttempt.Host, _ epochs: [EpochSecret]
    ) throws -> TourID {
        let isFalse = NodeError("false-tour", "The node that answered does not belong to the tour of this code.")
        guard case .host(let identity, let genesis) = peer.kind, var group = try? TourGroup(genesis: genesis) else {
            throw isFalse
        }
        _ = group.add(controls: host.controls)
        for epoch in epochs { group.learn(epoch: epoch.epoch, key: SecretBytes(epoch.key.bytes)) }
        let hostID = MemberID(identity: identity)
        guard group.currentEpoch != nil, group.roster.members[hostID]?.linkKey == peer.linkKey,
            group.roster.members[attempt.keys.memberID] != nil
        else { throw isFalse }
        let session = try found(group, attempt.keys, name: String(group.tour.hex.prefix(8)))
        dialer.add(host.address, of: session.tour, now: NodeClock.now)
        dialSoon()
        return session.tour
    }

    private func finish(_ attempt: JoinAttempt, _ result: Result<TourID, any Error>) {
        joins[ObjectIdentifier(attempt)] = nil
        attempt.answer?.resume(with: result)
        attempt.answer = nil
    }

    private func expire(_ id: ObjectIdentifier) {
        guard let attempt = joins[id] else { return }
        let nobody = NodeError(
            "no-member-found",
            "Nobody of this tour was found. Is a member's node running on the same network? "
                + "`tour-chat doctor` tests the network; `tour-chat run --peer HOST:PORT` helps where mDNS is blocked.")
        finish(attempt, .failure(attempt.refusal ?? nobody))
    }

    func joinConnectionClosed(_ connection: LinkConnection, _ fault: LinkFault?) {
        let id = ObjectIdentifier(connection)
        for attempt in joins.values where attempt.hosts[id] != nil {
            attempt.hosts[id] = nil
            if fault == .falseTour {
                attempt.refusal = NodeError(
                    "false-tour", "A node answered that does not belong to the tour of this code.")
            }
        }
    }
}

extension JoinRefusal {
    /// For people; says what to do.
    fileprivate var words: String {
        switch self {
        case .revoked: "This code was revoked. Ask the guide for a new one."
        case .expired: "This code has expired. Ask the guide for a new one."
        case .usedUp: "This code has been used as often as it may be. Ask the guide for a new one."
        case .closed: "This tour is over."
        case .full: "This tour is full."
        case .invalid: "The member that answered does not accept this code. Ask the guide for a new one."
        }
    }
}
