import TourGossip
import TourModel
import TourWire

/// The network's effect on a datagram: each receiver loses it independently.
package struct AirConditions: Hashable, Sendable {
    /// From sender to receiver.
    package var latency: Duration = .milliseconds(1)
    /// Added to the latency, evenly distributed; datagrams overtake each other.
    package var jitter: Duration = .milliseconds(2)
    /// How many of a thousand datagrams each receiver loses.
    package var lossPerMille = 0
    /// How many of a thousand datagrams arrive twice.
    package var doublesPerMille = 0
    /// Nothing comes through: access points that isolate their clients.
    package var isBlocked = false
    /// Whether nodes have a port for unicast datagrams; and whether those come through.
    package var hasPaths = true
    /// Whether unicast datagrams are lost on the way.
    package var arePathsBlocked = false

    package init() {}
}

// Segments: networks on which a datagram reaches everybody, or should.
extension Simulation {
    /// Puts these nodes on one more segment from now on.
    package func share(_ members: [Int]) {
        airs.append(members)
        for node in members { joinSegments(node) }
    }

    func joinSegments(_ node: Int) {
        guard nodes[node].isAlive, nodes[node].isHonest else { return }
        let ids = airs.indices.filter { airs[$0].contains(node) }.map(SegmentID.init(value:))
        if !ids.isEmpty { feed(node, .segments(ids)) }
    }

    func multicast(_ datagram: Datagram, on segment: SegmentID, from node: Int) {
        guard airs.indices.contains(segment.value), let plaintext = datagram.encode() else {
            counts.unsentDatagrams += 1
            return
        }
        counts.datagrams += 1
        counts.datagramBytes += plaintext.count + Self.datagramOverheadBytes
        wires?.record(datagram, bytes: plaintext.count + Self.datagramOverheadBytes)
        // As on the wire: receivers decode the encoded bytes.
        guard !air.isBlocked, let heard = try? Datagram(decoding: plaintext) else { return }
        for other in airs[segment.value] where other != node && sides[other] == sides[node] {
            guard Int.random(in: 0..<1_000, using: &rng) >= air.lossPerMille else { continue }
            let isDoubled = Int.random(in: 0..<1_000, using: &rng) < air.doublesPerMille
            for _ in 0..<(isDoubled ? 2 : 1) {
                let delay = air.latency + rng.duration(upTo: air.jitter)
                agenda.plan(.hear(node: other, life: nodes[other].life, segment, heard), at: now + delay)
            }
        }
    }

    func receive(_ datagram: Datagram, on segment: SegmentID, _ node: Int) {
        trace.add(now.microseconds)
        trace.add(node)
        trace.add(datagram.counter)
        counts.airedEvents += datagram.runs.reduce(0) { $0 + $1.events.count }
        if nodes[node].isHonest { feed(node, .datagram(segment, datagram)) }
    }

    func unicast(_ datagram: PathDatagram, on link: LinkID, from node: Int) {
        guard let state = links[link], let plaintext = datagram.encode() else {
            counts.unsentDatagrams += 1
            return
        }
        let bytes = plaintext.count + Self.pathOverheadBytes
        counts.datagrams += 1
        counts.unicasts += 1
        counts.datagramBytes += bytes
        wires?.counts.record(datagram, bytes: bytes)
        guard !air.arePathsBlocked, !state[node].isMuted, let heard = try? PathDatagram(decoding: plaintext),
            Int.random(in: 0..<1_000, using: &rng) >= air.lossPerMille
        else { return }
        let delay = air.latency + rng.duration(upTo: air.jitter)
        agenda.plan(.hearFrom(link, at: state.peer(of: node), heard), at: now + delay)
    }

    func receive(_ datagram: PathDatagram, from link: LinkID, at node: Int) {
        guard let state = links[link], state[node].knowsPeer, nodes[node].isAlive, nodes[node].isHonest,
            nodes[node].links[link] != nil
        else { return }
        trace.add(now.microseconds)
        trace.add(node)
        trace.add(datagram.number)
        for message in datagram.messages { record(message, link, node) }
        wires?.links[link]?[node].recordLifeElsewhere(at: now)
        feed(node, .unicast(link, datagram))
    }

    /// Version, path, counter and tag, and the headers of UDP, IPv4 and Ethernet.
    private static let pathOverheadBytes = 33 + 42

    /// Version, nonce and tag, and the headers of UDP, IPv4 and Ethernet.
    private static let datagramOverheadBytes = 41 + 42
}
