/// Which nodes can reach each other, as pairs of node numbers, the lower first.
package struct Topology: Sendable {
    /// A pair of nodes.
    package struct Edge: Hashable, Comparable, Sendable {
        /// The lower number.
        package let low: Int
        /// The higher number.
        package let high: Int

        package init(_ first: Int, _ second: Int) {
            low = min(first, second)
            high = max(first, second)
        }

        package static func < (left: Edge, right: Edge) -> Bool { (left.low, left.high) < (right.low, right.high) }
    }

    /// How many nodes there are.
    package let count: Int
    /// In ascending order.
    package let edges: [Edge]
    /// Where nodes choose their links among those they can reach: the members of each network. Else everybody links
    /// with everybody it can reach.
    package let networks: [[Int]]

    package init(count: Int, edges: some Sequence<Edge>) {
        self.count = count
        self.edges = Set(edges).sorted()
        networks = []
    }

    /// Networks on which everybody can reach everybody, and nodes choose their links, as real ones do.
    package init(count: Int, networks: [[Int]]) {
        self.count = count
        edges = Set(networks.flatMap { Self.clique($0) }).sorted()
        self.networks = networks
    }

    /// Whether nodes choose their links.
    package var choosesLinks: Bool { !networks.isEmpty }

    /// Everybody reaches everybody.
    package static func mesh(_ count: Int) -> Topology {
        Topology(count: count, edges: clique(Array(0..<count)))
    }

    /// Everybody reaches the next node, and the last one the first.
    package static func ring(_ count: Int) -> Topology {
        Topology(count: count, edges: (0..<count).map { Edge($0, ($0 + 1) % count) })
    }

    /// Everybody reaches the next node.
    package static func chain(_ count: Int) -> Topology {
        Topology(count: count, edges: (1..<count).map { Edge($0 - 1, $0) })
    }

    /// Networks in a row; each shares one node with the next, which has links in both and routes nothing.
    package static func segments(_ segments: Int, of size: Int) -> Topology {
        let step = size - 1
        return Topology(
            count: segments * step + 1,
            edges: (0..<segments).flatMap { clique(Array($0 * step...($0 + 1) * step)) })
    }

    /// Two cliques of this size and one link between them.
    package static func bridge(_ size: Int) -> Topology {
        let edges = clique(Array(0..<size)) + clique(Array(size..<2 * size)) + [Edge(size - 1, size)]
        return Topology(count: 2 * size, edges: edges)
    }

    static func clique(_ nodes: [Int]) -> [Edge] {
        nodes.indices.flatMap { first in nodes[(first + 1)...].map { Edge(nodes[first], $0) } }
    }
}
