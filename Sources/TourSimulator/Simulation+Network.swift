import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// One open connection between two nodes.
struct SimulatedLink {
    let id: LinkID
    let edge: Topology.Edge
    var low = End()
    var high = End()
    /// Where nodes choose their links: who dialled, when, and whether the dialler still has to learn that it is open.
    var dialler: Int?
    var openedAt = Instant(microseconds: 0)
    var isOpening = false

    /// One node's end: what it sends.
    struct End {
        var isLagging = false
        /// When the last queued byte has been sent.
        var freeAt = Instant(microseconds: 0)
        /// When the last message arrives: nothing overtakes it on the way.
        var arrivesAt = Instant(microseconds: 0)
        /// The same for urgent messages, which overtake those that wait here.
        var urgentFreeAt = Instant(microseconds: 0)
        var urgentArrivesAt = Instant(microseconds: 0)
        /// Whether this node's roster holds the other: before that it reads only control messages.
        var knowsPeer = false
        /// Packets from this end are lost; the other end notices the silence.
        var isMuted = false
    }

    func peer(of node: Int) -> Int { node == edge.low ? edge.high : edge.low }

    subscript(node: Int) -> End {
        get { node == edge.low ? low : high }
        set { if node == edge.low { low = newValue } else { high = newValue } }
    }
}

extension Simulation {
    /// Opens every link of the topology whose ends are on; or lets the nodes discover each other.
    package func connectAll() {
        if topology.choosesLinks { return meet() }
        for edge in topology.edges { agenda.plan(.connect(edge), at: now + rng.duration(upTo: .milliseconds(50))) }
    }

    func connect(_ edge: Topology.Edge) {
        guard linkOf[edge] == nil, nodes[edge.low].isAlive, nodes[edge.high].isAlive,
            sides[edge.low] == sides[edge.high]
        else { return }
        // Whose store failed a moment ago refuses links, and is dialled again.
        guard acceptsLinks(edge.low), acceptsLinks(edge.high) else { return reconnect(edge) }
        let id = LinkID(value: nextLink)
        nextLink += 1
        links[id] = SimulatedLink(id: id, edge: edge)
        linkOf[edge] = id
        trace.add(now.microseconds)
        trace.add(id.value)
        for node in [edge.low, edge.high] { nodes[node].links[id] = node == edge.low ? edge.high : edge.low }
        for node in [edge.low, edge.high] { open(id, at: node) }
    }

    /// A link is open at this node's end.
    func open(_ link: LinkID, at node: Int) {
        guard let state = links[link] else { return }
        let peer = state.peer(of: node)
        let isKnown = isMember(peer, to: node)
        guard nodes[node].isHonest else {
            links[link]?[node].knowsPeer = isKnown
            return
        }
        let member = nodes[peer].id
        let linked = LinkPeer(
            tour: nodes[node].group.tour, kind: isKnown ? .member(member) : .restricted(member),
            linkKey: nodes[peer].keys.link.publicKey, handshakeHash: [], epoch: commonEpoch(of: node, and: peer),
            isInitiator: node == (state.dialler ?? state.edge.low))
        feed(node, .linkOpened(link, linked, hasPath: air.hasPaths))
    }

    /// The epoch whose secret opens a link: the newest of one that the other holds.
    private func commonEpoch(of node: Int, and peer: Int) -> EpochID? {
        let keyring = nodes[peer].group.keyring
        return nodes[node].group.epochKeys.first { keyring.isHeld($0.id) }?.id
    }

    /// A node ends a link. Where links are given they stay, whatever a roster says, since there are no others to take:
    /// only a failure of the store breaks one.
    func close(_ link: LinkID, saying reason: ByeReason, by node: Int) {
        if topology.choosesLinks { return hangUp(link, at: node, saying: reason) }
        let isKept = nodes[node].machine.isOut || nodes[node].machine.hasLostKey
        guard reason == .closing, !isKept || !acceptsLinks(node) else { return }
        agenda.plan(.cut(link), at: now)
    }

    func queuedBytes(_ link: LinkID, _ node: Int) -> Int {
        if let wires { return wires.links[link]?[node].queuedBytes ?? 0 }
        guard let state = links[link] else { return 0 }
        let rate = rates[state.edge] ?? conditions.bytesPerSecond
        return Int(max(0, (state[node].freeAt - now).microseconds) * rate / 1_000_000)
    }

    /// Ends a connection on both sides; the two dial again.
    func cut(_ link: LinkID) {
        if topology.choosesLinks { return lose(link) }
        guard let state = links.removeValue(forKey: link) else { return }
        counts.breaks += 1
        linkOf[state.edge] = nil
        trace.add(now.microseconds)
        trace.add(~link.value)
        for node in [state.edge.low, state.edge.high] {
            nodes[node].links[link] = nil
            if nodes[node].isAlive, nodes[node].isHonest { feed(node, .linkClosed(link)) }
        }
        reconnect(state.edge)
    }

    private func reconnect(_ edge: Topology.Edge) {
        agenda.plan(.connect(edge), at: now + .milliseconds(50) + rng.duration(upTo: conditions.redial))
    }

    func acceptsLinks(_ node: Int) -> Bool { !nodes[node].isHonest || nodes[node].machine.acceptsLinks(now: now) }

    /// Queues a message as TCP would send it: in order, at the link's rate, later when a packet was lost. Urgent
    /// messages go before waiting ones.
    func transmit(_ message: LinkMessage, _ link: LinkID, from node: Int) {
        if let wires { return carry(message, link, from: node, over: wires) }
        guard let edge = links[link]?.edge, var end = links[link]?[node], let peer = links[link]?.peer(of: node) else {
            return
        }
        let rate = rates[edge] ?? conditions.bytesPerSecond
        let bytes = Padding.size(message.encode().count + Slice.prefixLength)
        counts.messages += 1
        counts.bytes += bytes
        let sentAt = end.queue(bytes, isUrgent: message.lane == .urgent, rate: rate, now)
        var arrival = sentAt + conditions.latency + rng.duration(upTo: conditions.jitter)
        let isLost = Int.random(in: 0..<1_000, using: &rng) < conditions.lossPerMille
        if isLost { arrival = arrival + conditions.retransmission }
        let time = end.arrive(at: arrival, sentAt: sentAt)
        if !end.isMuted { agenda.plan(.deliver(link, to: peer, message), at: time) }
        let queuedBytes = Int((end.freeAt - now).microseconds * rate / 1_000_000)
        let startsLagging = !end.isLagging && queuedBytes > Limits.linkQueueBytesMax
        if startsLagging { end.isLagging = true }
        links[link]?[node] = end
        if startsLagging {
            agenda.plan(.drained(link, from: node), at: end.freeAt)
            if nodes[node].isHonest { plan(.replication(.pressure(link, isLagging: true)), for: node, after: .zero) }
        }
        guard queuedBytes > Limits.linkQueueBytesClose else { return }
        // A liar may queue as much as it likes: it uses only its own memory.
        if nodes[node].isHonest { counts.overflows += 1 }
        agenda.plan(.cut(link), at: now)
    }

    /// A lagging link's queue may be empty now, unless more was queued.
    func drained(_ link: LinkID, _ node: Int) {
        guard let end = links[link]?[node] else { return }
        guard end.freeAt <= now else { return agenda.plan(.drained(link, from: node), at: end.freeAt) }
        links[link]?[node].isLagging = false
        if nodes[node].isAlive, nodes[node].isHonest { feed(node, .pressure(link, isLagging: false)) }
    }

    func deliver(_ message: LinkMessage, _ link: LinkID, to node: Int) {
        guard let state = links[link], nodes[node].isAlive, nodes[node].links[link] != nil else { return }
        record(message, link, node)
        if topology.choosesLinks, inspect(message, link, node) { return }
        if let attack = nodes[node].attack {
            for answer in attack(link, message) { transmit(answer, link, from: node) }
            return
        }
        switch message {
        case .controlIndex, .control: feed(node, TourInput.message(link, message))
        default:
            // A restricted link reads nothing else.
            if state[node].knowsPeer { feed(node, TourInput.message(link, message)) }
        }
    }

    func record(_ message: LinkMessage, _ link: LinkID, _ node: Int) {
        trace.add(now.microseconds)
        trace.add(link.value)
        trace.add(node)
        trace.add(message.lane.rawValue)
        switch message {
        case .run(let run):
            trace.add(run.last)
            if run.pushed { counts.pushedEvents += run.events.count } else { counts.pulledEvents += run.events.count }
        case .want: counts.wants += 1
        case .prune: counts.prunes += 1
        default: break
        }
    }
}
