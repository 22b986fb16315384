import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

// The members of the tour, and their messages.
extension Simulation {
    /// Node 0 founds the tour and admits the others; each starts with these events on its disk.
    func assemble(members: Int) {
        let keys = (0..<topology.count).map { _ in Self.keys(using: &rng) }
        let epochKey = SecretBytes(rng.bytes(EpochKey.keyBytes))
        let founding = Founding(
            keys: keys[0], epochKey: epochKey, fullHistory: true, salt: rng.bytes(16),
            wallMilliseconds: wallMilliseconds)
        guard let invite = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes)) else { return }
        self.invite = invite
        var author = founding.author
        var group = founding.group
        var events = [group.genesisEvent]
        func write(_ body: ControlBody) {
            let event = author.write(body, wallMilliseconds: wallMilliseconds)
            events.append(event)
            _ = group.add(verified: [event])
        }
        write(group.inviteBody(invite, uses: 0, expiresAt: nil, under: founding.epoch))
        for keys in keys[1..<members] { write(admission(of: keys, tour: group.tour)) }
        for (number, keys) in keys.enumerated() {
            var store = SimulatedStore(share: share)
            // Everybody starts with the same events, which are verified once.
            let view = number < members ? group : founding.group
            for event in number < members ? events : [events[0]] { store.append(own: event) }
            if number < members { store.controls = Array(events.dropFirst()) }
            store.epochKeys = view.keptKeys
            var node = SimulatedNode(
                number: number, keys: keys, group: view, store: store, wallMilliseconds: wallMilliseconds)
            node.isAlive = number < members
            if number == 0 { node.acknowledged = events }
            nodes.append(node)
        }
    }

    static func keys(using rng: inout SplitMix64) -> MemberKeys {
        guard let link = LinkKeyPair(secret: SecretBytes(rng.bytes(LinkKeyPair.secretBytes))),
            let wrapping = WrappingKeyPair(secret: SecretBytes(rng.bytes(WrappingKeyPair.secretBytes)))
        else { preconditionFailure("a secret of the right length is a key") }
        let identity = SigningKeyPair(seed: SecretBytes(rng.bytes(SigningKeyPair.seedBytes)))
        return MemberKeys(identity: identity, link: link, wrapping: wrapping)
    }

    private func admission(of keys: MemberKeys, tour: TourID) -> ControlBody {
        guard let invite else { preconditionFailure("the tour is assembled with an invite") }
        return Self.admission(of: keys, under: invite.invitePair, tour: tour)
    }

    /// A holder of a code can sign such an admission for any device.
    static func admission(of keys: MemberKeys, under invite: SigningKeyPair, tour: TourID) -> ControlBody {
        .admit(
            JoinRequest.signed(
                identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
                invite: invite, tour: tour,
                handshakeHash: [UInt8](repeating: 0, count: JoinRequest.handshakeHashLength)))
    }

    /// A member admits a device, which gets the control events, as in the join exchange, and starts.
    /// Without effect if the member cannot write that down.
    package func admit(_ newcomer: Int, by host: Int) {
        let admission = admission(of: nodes[newcomer].keys, tour: nodes[host].group.tour)
        guard !write(admission, node: host).isEmpty else { return }
        var group = nodes[newcomer].group
        nodes[newcomer].store.controls = group.add(controls: nodes[host].group.controls(missingFrom: []))
        nodes[newcomer].store.epochKeys = nodes[host].group.epochKeys(for: nodes[newcomer].id)
        restart(newcomer)
    }

    /// A member gives another a rank, or removes it with nil, by what it knows then; without effect if it may not.
    package func give(_ rank: Rank?, to target: Int, by leader: Int) {
        guard nodes[leader].isAlive, nodes[leader].isHonest else { return }
        let node = nodes[leader]
        let id = nodes[target].id
        let stored = node.store.logs[id] ?? []
        let tail = Author.Tail(sequence: UInt64(stored.count), id: stored.last?.id ?? .none)
        let log = node.group.knownLog(of: id, stored: tail) { stored[Int($0) - 1].id }
        let body: ControlBody
        if let rank {
            guard node.group.roster.lets(node.id, give: rank, to: id) else { return }
            body = node.group.roleBody(id, rank, log: log)
        } else {
            guard node.group.roster.lets(node.id, remove: id) else { return }
            body = node.group.removeBody(id, log: log)
            removed.insert(id)
        }
        write(body, governs: true, node: leader)
    }

    /// A member writes a message: stored, acknowledged, then sent.
    package func write(_ text: String, node: Int) { write(.text(text, replyTo: nil), node: node) }

    /// A member writes an urgent announcement.
    package func announce(_ text: String, node: Int) {
        write(
            .announcement(Content.Announcement(text: text, urgent: true, expiresAt: nil, replyTo: nil)), node: node)
    }

    /// A member writes content, if it may.
    /// - Returns: the event.
    @discardableResult
    func write(_ content: Content, node: Int) -> Event? {
        guard mayWrite(node), let epoch = nodes[node].group.currentEpoch else { return nil }
        return write(node: node) { [$0.write(content, under: epoch, wallMilliseconds: $1)] }.first
    }

    /// Many at once, as from a queue that was written while no node ran.
    /// - Returns: the events; none when the member may not write.
    @discardableResult
    package func write(count: Int, node: Int, text: String? = nil) -> [Event] {
        guard mayWrite(node), let epoch = nodes[node].group.currentEpoch else { return [] }
        return stride(from: 0, to: count, by: Self.writtenAtOnce).flatMap { start in
            write(node: node) { author, wall in
                (start..<min(start + Self.writtenAtOnce, count)).map {
                    author.write(.text(text ?? "message \($0)", replyTo: nil), under: epoch, wallMilliseconds: wall)
                }
            }
        }
    }

    private static let writtenAtOnce = 100

    /// A member writes a control event.
    /// - Returns: the event; empty if it cannot write.
    @discardableResult
    func write(_ body: ControlBody, governs: Bool = false, node: Int) -> [Event] {
        write(governs: governs, node: node) { [$0.write(body, wallMilliseconds: $1)] }
    }

    private func write(
        governs: Bool = false, node: Int, _ compose: (inout Author, _ wallMilliseconds: Int64) -> [Event]
    ) -> [Event] {
        let composed = try? nodes[node].machine.compose(governs: governs, at: reading(of: node), compose)
        guard let own = composed ?? nil else { return [] }
        guard !failsWrite(node) else {
            feed(node, .wrote(own, isStored: false))
            return []
        }
        for event in own.events { keep(event, node: node) }
        feed(node, .wrote(own, isStored: true))
        return own.events
    }

    /// On, following the rules, with a key to write under and room in its log.
    private func mayWrite(_ node: Int) -> Bool {
        nodes[node].mayWrite && nodes[node].group.currentEpoch != nil && !nodes[node].gossip.isFull(nodes[node].id)
    }

    private func keep(_ event: Event, node: Int) {
        if event.header.clock <= nodes[node].known { counts.misorders += 1 }
        let isSealed = event.header.eventClass != .control
        if isSealed, !nodes[node].group.keyring.isSafe(event.header.epoch) { counts.unsafeSeals += 1 }
        nodes[node].known = max(nodes[node].known, event.header.clock)
        nodes[node].store.append(own: event)
        nodes[node].acknowledged.append(event)
    }
}
