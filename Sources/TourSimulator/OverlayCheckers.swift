import TourGossip
import TourModel

// Invariants where nodes choose their links.
extension Simulation {
    /// The members on a network, in the order of the ring.
    func ring(of network: [Int]) -> [Int] {
        network.filter { nodes[$0].isAlive && nodes[$0].dialling.address != nil }
            .sorted { nodes[$0].id < nodes[$1].id }
    }

    /// Whether both have the same link open.
    package func isLinked(_ first: Int, _ second: Int) -> Bool {
        nodes[first].links.contains { $0.value == second && nodes[second].links[$0.key] == first }
    }

    /// Open links, each counted once.
    package var linkCount: Int {
        links.values.count { nodes[$0.edge.low].links[$0.id] != nil && nodes[$0.edge.high].links[$0.id] != nil }
    }

    /// The links of one node to members of its roster.
    package func linkCount(of node: Int) -> Int {
        nodes[node].links.keys.count { links[$0]?[node].knowsPeer == true }
    }

    /// The largest number of parts into which a network falls, by links within it alone.
    package var partCount: Int {
        topology.networks.map { parts(of: ring(of: $0)) }.max() ?? 0
    }

    private func parts(of members: [Int]) -> Int {
        var left = Set(members)
        var count = 0
        for member in members where left.remove(member) != nil {
            count += 1
            var open = [member]
            while let node = open.popLast() {
                for peer in nodes[node].links.values.sorted() where left.contains(peer) && isLinked(node, peer) {
                    left.remove(peer)
                    open.append(peer)
                }
            }
        }
        return count
    }

    /// Ring neighbours without a link.
    package var ringGaps: [Topology.Edge] {
        topology.networks.flatMap { network -> [Topology.Edge] in
            let members = ring(of: network)
            guard members.count > 1 else { return [] }
            return members.indices.compactMap { index -> Topology.Edge? in
                let pair = Topology.Edge(members[index], members[(index + 1) % members.count])
                return isLinked(pair.low, pair.high) ? nil : pair
            }
        }
    }

    /// A node that had lost a neighbour may have links to all its neighbours again: in fact, not as the node
    /// believes.
    func checkRepair(of node: Int) {
        guard let lossAt = nodes[node].dialling.lossAt else { return }
        for network in topology.networks where network.contains(node) {
            let members = ring(of: network.filter { hasPath(node, $0) })
            guard let place = members.firstIndex(of: node), members.count > 1 else { continue }
            let next = members[(place + 1) % members.count]
            let previous = members[(place + members.count - 1) % members.count]
            guard isLinked(node, next), isLinked(node, previous) else { return }
        }
        nodes[node].dialling.lossAt = nil
        overlayCounts.record(repair: now - lossAt)
    }
}

/// On every network the members present are connected by links of this network, and each is linked with its
/// neighbours on the ring.
package struct RingChecker: Checker {
    package let name = "ring"

    package init() {}

    package func problems(in simulation: Simulation) -> [String] {
        var problems = simulation.ringGaps.map { "nodes \($0.low) and \($0.high) are neighbours without a link" }
        let parts = simulation.partCount
        if parts > 1 { problems.insert("a network is in \(parts) parts", at: 0) }
        return problems
    }

    /// Quick.
    package func holds(in simulation: Simulation) -> Bool { simulation.ringGaps.isEmpty && simulation.partCount <= 1 }
}

/// No node ever has more links than it may; and after a quiet while none has more than it keeps, so that all together
/// have five for each node, and a few more for nodes that carry more.
package struct LinkCountChecker: Checker {
    package let name = "links"
    /// Whether it has been quiet for a while.
    package let isQuiet: Bool

    package init(isQuiet: Bool = false) { self.isQuiet = isQuiet }

    package func problems(in simulation: Simulation) -> [String] {
        guard simulation.topology.choosesLinks else { return [] }
        return simulation.nodes.indices.filter { simulation.nodes[$0].isAlive }.compactMap { node -> String? in
            let count = simulation.linkCount(of: node)
            let most = isQuiet ? simulation.overlay(of: node).acceptMax : Overlay.linksMax
            return count > most ? "node \(node) has \(count) links, at most \(most)" : nil
        }
    }
}
