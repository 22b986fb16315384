import TourGossip
import TourGroup
import TourModel
import TourWire

// Nodes that choose their links themselves: they discover addresses, dial by the production rules, and link in three
// round trips, during each of which the peer may go away.
extension Simulation {
    func perform(_ step: DiallingStep) {
        switch step {
        case .begin(let node, let life):
            if isCurrent(node, life) { begin(node) }
        case .tick(let node, let life):
            if isCurrent(node, life) { tick(node) }
        case .dial(let node, let life):
            guard isCurrent(node, life) else { return }
            nodes[node].dialling.isDialScheduled = false
            dial(node)
        case .hear(let node, let life, let place):
            if isCurrent(node, life) { discover(place, node) }
        case .expire(let address):
            for node in nodes.indices { nodes[node].dialling.seen.removeAll { $0.address == address } }
        case .call(let dial): call(dial)
        case .met(let dial): met(dial)
        case .arrive(let dial): arrive(dial)
        case .opened(let link, let dial): opened(link, dial)
        case .failed(let dial):
            guard isCurrent(dial.node, dial.life) else { return }
            nodes[dial.node].dialling.dialer.failed(dial.target, now: now, using: &rng)
        case .silence(let link, let node): fellSilent(link, at: node)
        }
    }

    func plan(_ step: DiallingStep, after delay: Duration) { agenda.plan(.dialling(step), at: now + delay) }

    /// Whether packets pass between the two devices.
    func hasPath(_ first: Int, _ second: Int) -> Bool { sides[first] == sides[second] }

    // MARK: - Addresses

    /// All nodes that are on start, and discover those that run already.
    func meet() {
        for node in nodes.indices where nodes[node].isAlive {
            if nodes[node].dialling.address == nil {
                plan(.begin(node: node, life: nodes[node].life), after: rng.duration(upTo: overlayConditions.start))
            } else {
                introduce(node)
            }
        }
    }

    /// The node's timers start; it listens on a port of its own, another one in each life.
    func begin(_ node: Int) {
        guard nodes[node].dialling.address == nil else { return }
        let port = UInt16(1_024 + nodes[node].life % 60_000)
        let address = Dialer.Address(host: "10.0.\(node / 256).\(node % 256)", port: port)
        nodes[node].dialling.address = address
        owners[address] = node
        plan(.tick(node: node, life: nodes[node].life), after: rng.duration(upTo: .seconds(1)))
        introduce(node)
    }

    private func introduce(_ node: Int) {
        for other in topology.neighbours(of: node) where hasPath(node, other) {
            announce(other, to: node)
            announce(node, to: other)
        }
    }

    private func announce(_ node: Int, to other: Int) {
        guard nodes[node].isAlive, nodes[other].isAlive, nodes[other].dialling.address != nil,
            let address = nodes[node].dialling.address
        else { return }
        let network = topology.networks.firstIndex { $0.contains(node) && $0.contains(other) }
        let place = Dialer.Candidate(address: address, network: network)
        let delay = Self.announcement + rng.duration(upTo: overlayConditions.discovery)
        plan(.hear(node: other, life: nodes[other].life, place), after: delay)
    }

    private func discover(_ place: Dialer.Candidate, _ node: Int) {
        let seen = nodes[node].dialling.seen
        guard seen.count < Limits.candidatesMax, !seen.contains(where: { $0.address == place.address }) else { return }
        nodes[node].dialling.seen.append(place)
        dialSoon(node)
    }

    /// Nodes that are on drop the address; if the whole device just went dark, the record stays for a while.
    func withdraw(_ node: Int) {
        guard let address = nodes[node].dialling.address else { return }
        plan(.expire(address), after: overlayConditions.recordLifetime)
        guard !nodes[node].dialling.isDark else { return }
        for other in nodes.indices where hasPath(node, other) {
            nodes[other].dialling.seen.removeAll { $0.address == address }
        }
    }

    func places(of node: Int) -> [Dialer.Candidate] {
        let seen = nodes[node].dialling.seen
        let addresses = Set(seen.map(\.address))
        let others = nodes[node].dialling.remembered.filter { !addresses.contains($0) }
        return seen + others.map { Dialer.Candidate(address: $0, source: .remembered) }
    }

    // MARK: - Timers

    private func tick(_ node: Int) {
        plan(.tick(node: node, life: nodes[node].life), after: .seconds(1))
        trim(node)
        dial(node)
        checkRepair(of: node)
    }

    /// Combines several reasons to dial within a moment into one round of dialling, as in a real node.
    func dialSoon(_ node: Int) {
        guard !nodes[node].dialling.isDialScheduled else { return }
        nodes[node].dialling.isDialScheduled = true
        plan(.dial(node: node, life: nodes[node].life), after: .milliseconds(10))
    }

    private func dial(_ node: Int) {
        let places = places(of: node)
        let overlay = overlay(of: node)
        let tour = nodes[node].group.tour
        let due = nodes[node].dialling.dialer.due(
            for: tour, among: places, overlay: overlay, left: [], now: now, using: &rng)
        if nodes[node].dialling.dialer.isCrowded {
            nodes[node].dialling.dialer.forget(except: Set(places.map(\.address)))
        }
        for target in due {
            guard let peer = owners[target.address] else { continue }
            overlayCounts.dials += 1
            call(SimulatedDial(node: node, life: nodes[node].life, target: target, peer: peer))
        }
    }

    // MARK: - One dial

    /// Two round trips lead to TCP's answer and to message 2 of the handshake. TCP sends three SYNs.
    private func call(_ dial: SimulatedDial) {
        guard isCurrent(dial.node, dial.life) else { return }
        if answers(dial) { return plan(.met(dial), after: crossing() + crossing() + crossing() + crossing()) }
        // A device that is on refuses a call to a port where nothing listens.
        if hasPath(dial.node, dial.peer), !nodes[dial.peer].dialling.isDark {
            return plan(.failed(dial), after: crossing() + crossing())
        }
        var again = dial
        again.unanswered += 1
        guard again.unanswered < Self.callsMax else { return plan(.failed(dial), after: .seconds(1)) }
        plan(.call(again), after: .seconds(again.unanswered))
    }

    private func met(_ dial: SimulatedDial) {
        guard isCurrent(dial.node, dial.life) else { return }
        guard answers(dial) else { return plan(.failed(dial), after: Limits.handshakeTimeout) }
        let member = nodes[dial.peer].id
        if isMember(dial.peer, to: dial.node), !overlay(of: dial.node).wants(member) {
            overlayCounts.unneeded += 1
            nodes[dial.node].dialling.dialer.reached(dial.target, member, isSelf: false, now: now)
            return
        }
        plan(.arrive(dial), after: crossing())
    }

    private func arrive(_ dial: SimulatedDial) {
        guard isCurrent(dial.node, dial.life) else { return }
        guard answers(dial) else { return plan(.failed(dial), after: Limits.handshakeTimeout) }
        let id = LinkID(value: nextLink)
        nextLink += 1
        var link = SimulatedLink(id: id, edge: Topology.Edge(dial.node, dial.peer))
        link.dialler = dial.node
        link.isOpening = true
        link.openedAt = now
        let delay = crossing()
        // The first message of the dialled node follows its bind.
        link[dial.peer].arrivesAt = now + delay
        links[id] = link
        plan(.opened(id, dial), after: delay)
        if let reason = welcome(id, at: dial.peer) { transmit(.bye(reason), id, from: dial.peer) }
    }

    private func opened(_ id: LinkID, _ dial: SimulatedDial) {
        links[id]?.isOpening = false
        guard let link = links[id], isCurrent(dial.node, dial.life), answers(dial) else {
            plan(.failed(dial), after: Limits.handshakeTimeout)
            return fallSilent(id)
        }
        let member = nodes[dial.peer].id
        nodes[dial.node].dialling.dialer.reached(dial.target, member, isSelf: false, now: now)
        if let reason = welcome(id, at: dial.node) {
            transmit(.bye(reason), id, from: dial.node)
            if nodes[dial.peer].links[id] == nil { links[id] = nil }
            return
        }
        nodes[dial.node].dialling.remember(dial.target.address)
        if nodes[dial.peer].links[id] != nil { linkOf[link.edge] = id }
    }

    /// Whether the node with that address is on, and still has it.
    private func answers(_ dial: SimulatedDial) -> Bool {
        hasPath(dial.node, dial.peer) && nodes[dial.peer].isAlive
            && nodes[dial.peer].dialling.address == dial.target.address
    }

    /// The time of one packet.
    private func crossing() -> Duration {
        let isLost = Int.random(in: 0..<1_000, using: &rng) < conditions.lossPerMille
        let time = conditions.latency + rng.duration(upTo: conditions.jitter)
        return isLost ? time + conditions.retransmission : time
    }

    /// The least time from publishing a record to its discovery.
    private static let announcement: Duration = .milliseconds(50)
    /// At once, after 1 s and after 3 s; the connection is given up at 4 s.
    private static let callsMax = 3
}
