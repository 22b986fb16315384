import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Faults: links break, networks partition, nodes die and come back, nodes lie.
extension Simulation {
    /// Once a virtual second: each link may break.
    func churn() {
        agenda.plan(.churn, at: now + .seconds(1))
        guard breaksPerMille > 0 else { return }
        if topology.choosesLinks { return churnLinks() }
        for edge in topology.edges where Int.random(in: 0..<1_000, using: &rng) < breaksPerMille {
            if let link = linkOf[edge] { agenda.plan(.cut(link), at: now + rng.duration(upTo: .milliseconds(999))) }
        }
    }

    /// No link crosses between the sides until `heal`; nodes that are not listed form a side of their own.
    package func partition(_ groups: [[Int]]) {
        sides = [:]
        for (side, group) in groups.enumerated() {
            for node in group { sides[node] = side }
        }
        if topology.choosesLinks { return partLinks() }
        for edge in topology.edges where sides[edge.low] != sides[edge.high] {
            if let link = linkOf[edge] { cut(link) }
        }
    }

    /// Ends the partition.
    package func heal() {
        sides = [:]
        connectAll()
    }

    /// Ends all faults: no loss, no breaks, no sides, no dead links, every member is on.
    package func quieten(members: some Sequence<Int>) {
        breaksPerMille = 0
        overlayConditions.silentPerMille = 0
        conditions.lossPerMille = 0
        air = AirConditions()
        for node in nodes.indices { failWrites(of: node, perMille: 0) }
        for link in links.values.filter({ $0.low.isMuted || $0.high.isMuted }).map(\.id).sorted() { cut(link) }
        for node in members { restart(node) }
        heal()
    }

    /// All disks lose the last event of an author: for tests of the tests.
    package func forgetLast(of author: Int) {
        let id = nodes[author].id
        for node in nodes.indices { nodes[node].store.forgetLast(of: id) }
    }

    /// Everything that one node sends to the other is lost from now on, until the other gives up the link.
    package func mute(_ node: Int, towards other: Int) {
        guard let link = linkOf[Topology.Edge(node, other)] else { return }
        links[link]?[node].isMuted = true
        agenda.plan(.cut(link), at: now + Limits.deadPeerTimeout)
    }

    /// Power fails at a node: runs being verified, queued messages and unsynced writes are lost.
    package func crash(_ node: Int) {
        guard nodes[node].isAlive else { return }
        nodes[node].isAlive = false
        counts.disks.lostEvents += nodes[node].store.crash(using: &rng)
        if topology.choosesLinks { return vanish(node) }
        for link in nodes[node].links.keys.sorted() { cut(link) }
    }

    /// From now on the node's disk refuses so many of a thousand writes: with 1000 it is full.
    package func failWrites(of node: Int, perMille: Int) { nodes[node].store.failuresPerMille = perMille }

    /// Whether the node's disk refuses the write that comes now.
    func failsWrite(_ node: Int) -> Bool {
        let failures = nodes[node].store.failuresPerMille
        guard failures > 0, Int.random(in: 0..<1_000, using: &rng) < failures else { return false }
        counts.disks.refusedWrites += 1
        return true
    }

    /// The node's keys are on its disk from now on.
    /// - Returns: false when the disk refuses them.
    @discardableResult
    func saveKeys(_ node: Int) -> Bool {
        guard !failsWrite(node) else { return false }
        nodes[node].saveKeys()
        return true
    }

    /// The node starts again from its disk.
    package func restart(_ node: Int) {
        guard !nodes[node].isAlive else { return }
        let old = nodes[node]
        guard var group = try? TourGroup(genesis: old.group.genesisEvent.bytes) else { return }
        _ = group.add(controls: old.store.allControls.map(\.bytes))
        for epoch in old.store.epochKeys { group.restore(epoch.id, epoch.key) }
        var fresh = SimulatedNode(
            number: node, keys: old.keys, group: group, store: old.store, ownLog: old.ownLog,
            claimCounter: old.machine.claimCounter, wallMilliseconds: wallMilliseconds(of: node))
        fresh.life = old.life + 1
        fresh.acknowledged = old.acknowledged
        fresh.faults = old.faults
        fresh.tightTimers = old.tightTimers
        fresh.sizeMax = old.sizeMax
        fresh.met.formUnion(old.met)
        fresh.positionCounter = old.positionCounter
        fresh.clockOffset = old.clockOffset
        fresh.dialling.remembered = old.dialling.remembered
        fresh.isAlive = true
        nodes[node] = fresh
        joinSegments(node)
        if topology.choosesLinks { return begin(node) }
        for edge in topology.edges where edge.low == node || edge.high == node {
            agenda.plan(.connect(edge), at: now + rng.duration(upTo: .milliseconds(200)))
        }
    }

    /// Replaces the node's disk by an old copy of itself, and starts the node from that.
    /// - Parameter notices: whether the node can see that it is a copy; a disk that was copied as a whole does not
    ///   show it.
    package func restore(_ node: Int, from copy: SimulatedStore, notices: Bool = true) {
        crash(node)
        nodes[node].store = copy
        if notices { nodes[node].ownLog = .restored }
        restart(node)
    }

    /// From now on the node answers as given, and does nothing by itself.
    package func corrupt(_ node: Int, answering attack: @escaping (LinkID, LinkMessage) -> [LinkMessage]) {
        nodes[node].attack = attack
        nodes[node].forger = Author(
            identity: nodes[node].keys.identity, tour: nodes[node].group.tour,
            tail: nodes[node].machine.durableTail, clock: nodes[node].known)
    }

    /// Makes a node send a message to a neighbour.
    package func inject(_ message: LinkMessage, from node: Int, to other: Int) {
        guard let link = linkOf[Topology.Edge(node, other)] else { return }
        transmit(message, link, from: node)
    }
}
