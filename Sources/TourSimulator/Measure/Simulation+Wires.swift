import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// The links of a measured simulation, and the bytes sent over links and segments.
final class Wires {
    var links: [LinkID: Wire] = [:]
    var counts = WireCounts()
    /// Events that were in a datagram, by author and sequence.
    private var aired: Set<[UInt64]> = []

    func record(_ datagram: Datagram, bytes: Int) {
        let news = datagram.runs.filter { aired.insert([$0.author.prefix, $0.first]).inserted }
        counts.record(datagram, bytes: bytes, isNew: !news.isEmpty)
    }
}

// Links byte by byte: the production link machines encode, pad, slice, encrypt and keep alive; below them is a model
// of TCP. A lost segment delays all later ones, and its bytes are sent again.
extension Simulation {
    /// Call before any link is made.
    func measureWires() {
        wires = Wires()
        after(.seconds(1)) { [unowned self] in self.tickWires() }
    }

    /// Queues a message as the production shell does.
    func carry(_ message: LinkMessage, _ link: LinkID, from node: Int, over wires: Wires) {
        guard let edge = links[link]?.edge else { return }
        let wire = wires.links[link] ?? open(link, edge, wires)
        let before = wire[node].queuedBytes
        wire[node].enqueue(message)
        wires.counts.record(message, queued: wire[node].queuedBytes - before)
        checkPressure(link, node, wire, wires)
        planPump(link, node, wire)
    }

    /// The node with the lower number dials. The handshake takes no time here; its bytes are counted.
    private func open(_ link: LinkID, _ edge: Topology.Edge, _ wires: Wires) -> Wire {
        let low = WireEnd(dialling: party(edge.low, with: edge.high), salt: rng.bytes(Hello.saltLength), now: now)
        let high = WireEnd(accepting: party(edge.high, with: edge.low), now: now)
        let wire = Wire(edge: edge, low: low, high: high)
        wires.links[link] = wire
        wires.counts.linkBytes += WireModel.connectionBytes
        var isTalking = true
        while isTalking {
            isTalking = false
            for (sender, receiver) in [(low, high), (high, low)] {
                guard let bytes = try? sender.drain(budget: WireModel.socketBytes, now: now), !bytes.isEmpty else {
                    continue
                }
                wires.counts.recordWrite(of: bytes.count)
                _ = try? receiver.receive(bytes, now: now)
                isTalking = true
            }
        }
        precondition(wire.isOpen, "two members' handshake on a sound connection succeeds")
        return wire
    }

    private func party(_ node: Int, with peer: Int) -> WireEnd.Party {
        guard let epoch = nodes[node].group.currentEpoch else { preconditionFailure("members hold the epoch's key") }
        let keys = nodes[node].keys
        let credential = LinkCredential(
            tour: nodes[node].group.tour, purpose: .member, secret: epoch.linkSecret,
            keys: LinkKeys(identity: keys.identity, link: keys.link), genesis: nodes[node].group.genesisEvent.bytes)
        return WireEnd.Party(
            credential: credential, peer: nodes[peer].id, peerKey: nodes[peer].keys.link.publicKey)
    }

    /// As `LinkConnection` does: a long queue makes the link lag, a very long one ends it.
    private func checkPressure(_ link: LinkID, _ node: Int, _ wire: Wire, _ wires: Wires) {
        let end = wire[node]
        let queued = end.queuedBytes
        wires.counts.linkQueueMax = max(wires.counts.linkQueueMax, queued)
        if queued > Limits.linkQueueBytesClose {
            counts.overflows += 1
            agenda.plan(.cut(link), at: now)
        } else if !end.isLagging, queued > Limits.linkQueueBytesMax {
            end.isLagging = true
            plan(.replication(.pressure(link, isLagging: true)), for: node, after: .zero)
        } else if end.isLagging, queued < Limits.linkQueueBytesMax / 4 {
            end.isLagging = false
            plan(.replication(.pressure(link, isLagging: false)), for: node, after: .zero)
        }
    }

    /// As soon as the socket accepts more; bytes queued at one moment are sent together.
    private func planPump(_ link: LinkID, _ node: Int, _ wire: Wire) {
        let end = wire[node]
        guard !end.isPumpPlanned else { return }
        end.isPumpPlanned = true
        agenda.plan(.step({ [unowned self] in self.pump(link, node) }), at: max(now, end.freeAt))
    }

    private func pump(_ link: LinkID, _ node: Int) {
        guard let wires, let wire = wires.links[link] else { return }
        wire[node].isPumpPlanned = false
        guard links[link] != nil, nodes[node].isAlive else { return }
        guard let bytes = try? wire[node].drain(budget: WireModel.socketBytes, now: now) else {
            return agenda.plan(.cut(link), at: now)
        }
        guard !bytes.isEmpty else { return }
        send(bytes, link, from: node, wire, wires)
        checkPressure(link, node, wire, wires)
        if wire[node].hasBytes { planPump(link, node, wire) }
    }

    private func send(_ bytes: [UInt8], _ link: LinkID, from node: Int, _ wire: Wire, _ wires: Wires) {
        let end = wire[node]
        let peer = wire.peer(of: node)
        wires.counts.recordWrite(of: bytes.count)
        let sending = Duration.microseconds(Int64(bytes.count) * 1_000_000 / conditions.bytesPerSecond)
        end.freeAt = max(end.freeAt, now) + sending
        let travel = conditions.latency + rng.duration(upTo: conditions.jitter) + recovery(of: bytes.count, wires)
        end.arrivesAt = max(end.arrivesAt, end.freeAt + travel)
        agenda.plan(.step({ [unowned self] in self.arrive(bytes, link, at: peer) }), at: end.arrivesAt)
    }

    /// Loses segments, and sends them again.
    /// - Returns: how much later the last of them arrives for that.
    private func recovery(of bytes: Int, _ wires: Wires) -> Duration {
        guard conditions.lossPerMille > 0 else { return .zero }
        var latest = Duration.zero
        let segments = WireModel.segments(bytes)
        for segment in 0..<segments {
            let size = min(WireModel.segmentBytes, bytes - segment * WireModel.segmentBytes)
            let isTold = segment + WireModel.segmentsThatTell < segments
            var pause = isTold ? conditions.latency * 2 + conditions.jitter : conditions.retransmission
            var delay = Duration.zero
            var losses = 0
            while losses < WireModel.retransmissionsMax,
                Int.random(in: 0..<1_000, using: &rng) < conditions.lossPerMille
            {
                losses += 1
                wires.counts.recordRetransmission(of: size)
                delay += pause
                pause = max(conditions.retransmission, pause * 2)
            }
            latest = max(latest, delay)
        }
        return latest
    }

    private func arrive(_ bytes: [UInt8], _ link: LinkID, at node: Int) {
        guard let wire = wires?.links[link], links[link] != nil, nodes[node].isAlive else { return }
        do {
            for message in try wire[node].receive(bytes, now: now) { deliver(message, link, to: node) }
        } catch {
            return agenda.plan(.cut(link), at: now)
        }
        if wire[node].hasBytes { planPump(link, node, wire) }
    }

    /// Keep-alive, and the end of links whose peer is silent.
    private func tickWires() {
        after(.seconds(1)) { [unowned self] in self.tickWires() }
        guard let wires else { return }
        for link in wires.links.keys.sorted() {
            guard let wire = wires.links[link], links[link] != nil else {
                wires.links[link] = nil
                continue
            }
            let ends = [wire.edge.low, wire.edge.high].filter { nodes[$0].isAlive }
            let isDead = ends.contains { (try? wire[$0].tick(now: now)) == nil }
            if isDead { cut(link) }
            for node in ends where wire[node].hasBytes { planPump(link, node, wire) }
        }
    }
}
