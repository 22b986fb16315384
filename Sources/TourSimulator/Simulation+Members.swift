import TourCrypto
import TourGossip
import TourGroup
import TourModel
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
    package func admit(_ newcomer: Int, by host: Int) {
        let body = admission(of: nodes[newcomer].keys, tour: nodes[host].group.tour)
        let wall = wallMilliseconds(of: host)
        let event = nodes[host].author.write(body, wallMilliseconds: wall)
        publish(event, node: host)
        controlsAdded(nodes[host].group.add(verified: [event]), host)
        let known = nodes[host].group.controls(missingFrom: [])
        nodes[newcomer].store.controls = nodes[newcomer].group.add(controls: known)
        for key in nodes[host].group.epochKeys(for: nodes[newcomer].id) {
            nodes[newcomer].group.learn(epoch: key.id, key: key.key)
        }
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
        let wall = wallMilliseconds(of: leader)
        let event = nodes[leader].author.write(body, wallMilliseconds: wall)
        publish(event, node: leader)
        controlsAdded(nodes[leader].group.add(verified: [event]), leader)
    }

    /// A member writes a message: stored, acknowledged, then sent.
    package func write(_ text: String, node: Int) {
        guard nodes[node].mayWrite, mayWrite(node) else { return }
        publish(draft(text, node: node), node: node)
    }

    /// A member writes an urgent announcement.
    package func announce(_ text: String, node: Int) {
        guard nodes[node].mayWrite, mayWrite(node) else { return }
        let announcement = Content.Announcement(text: text, urgent: true, expiresAt: nil, replyTo: nil)
        publish(draft(.announcement(announcement), node: node), node: node)
    }

    /// Many at once, as from a queue that was written while no node ran.
    /// - Returns: the events; none when the member may not write.
    @discardableResult
    package func write(count: Int, node: Int, text: String? = nil) -> [Event] {
        guard nodes[node].mayWrite, mayWrite(node) else { return [] }
        let events = (0..<count).map { draft(text ?? "message \($0)", node: node) }
        for event in events { keep(event, node: node) }
        for start in stride(from: 0, to: events.count, by: 100) {
            feed(node, .wrote(Array(events[start..<min(start + 100, events.count)])))
        }
        return events
    }

    /// On, following the rules, with a key to write under and room in its log.
    private func mayWrite(_ node: Int) -> Bool {
        nodes[node].isAlive && nodes[node].isHonest && nodes[node].group.currentEpoch != nil
            && !nodes[node].gossip.isFull(nodes[node].id)
    }

    /// An event of the node's log that is neither stored nor sent yet.
    package func draft(_ text: String, node: Int) -> Event { draft(.text(text, replyTo: nil), node: node) }

    private func draft(_ content: Content, node: Int) -> Event {
        guard let epoch = nodes[node].group.currentEpoch else { preconditionFailure("members hold the epoch's key") }
        let wall = wallMilliseconds(of: node)
        return nodes[node].author.write(content, under: epoch, wallMilliseconds: wall)
    }

    /// Moves the end of a liar's own log back, so that it writes a sequence again.
    package func rewind(_ node: Int, to tail: Author.Tail) { nodes[node].author.rewind(to: tail) }

    func publish(_ event: Event, node: Int) {
        keep(event, node: node)
        feed(node, .wrote([event]))
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
