import TourModel

// Networks of any number of nodes.
extension Topology {
    /// The shape of a network.
    package enum Kind: String, CaseIterable, Sendable {
        case mesh, random, segments, bridge, ring, chain
        /// Nodes choose their links.
        case overlay

        /// The kinds with fixed links.
        static var given: [Kind] { allCases.filter { $0 != .overlay } }
    }

    /// A connected network of this kind.
    package static func make(_ kind: Kind, of count: Int, degree: Int, using rng: inout SplitMix64) -> Topology {
        switch kind {
        case .mesh: return mesh(count)
        case .ring: return ring(count)
        case .chain: return chain(count)
        case .random: return Topology(count: count, edges: scattered(0..<count, degree: degree, using: &rng))
        case .segments:
            let edges = stride(from: 0, to: count - 1, by: degree).flatMap { start in
                clique(Array(start...min(start + degree, count - 1)))
            }
            return Topology(count: count, edges: edges)
        case .bridge:
            let half = count / 2
            let low = scattered(0..<half, degree: degree, using: &rng)
            let high = scattered(half..<count, degree: degree, using: &rng)
            return Topology(count: count, edges: low + high + [Edge(half - 1, half)])
        case .overlay: return Topology(count: count, networks: [Array(0..<count)])
        }
    }

    /// Random links: one for each node to an earlier one, and others up to this mean degree.
    private static func scattered(_ nodes: Range<Int>, degree: Int, using rng: inout SplitMix64) -> [Edge] {
        var edges = Set<Edge>()
        for node in nodes.dropFirst() {
            edges.insert(Edge(node, Int.random(in: nodes.lowerBound..<node, using: &rng)))
        }
        let possible = nodes.count * (nodes.count - 1) / 2
        let wanted = min(possible, nodes.count * degree / 2)
        while edges.count < wanted {
            let first = Int.random(in: nodes, using: &rng)
            let second = Int.random(in: nodes, using: &rng)
            if first != second { edges.insert(Edge(first, second)) }
        }
        return edges.sorted()
    }

    /// The same with more links where these nodes would reach each other only through others.
    func connecting(_ nodes: [Int]) -> Topology {
        var parents = Dictionary(uniqueKeysWithValues: nodes.map { ($0, $0) })
        func root(of node: Int) -> Int {
            var node = node
            while let parent = parents[node], parent != node { node = parent }
            return node
        }
        func join(_ edge: Edge) -> Bool {
            let (low, high) = (root(of: edge.low), root(of: edge.high))
            parents[low] = high
            return low != high
        }
        for edge in edges where parents[edge.low] != nil && parents[edge.high] != nil { _ = join(edge) }
        let more = zip(nodes, nodes.dropFirst()).map { Edge($0, $1) }.filter { join($0) }
        guard choosesLinks else { return Topology(count: count, edges: edges + more) }
        return Topology(count: count, networks: networks + more.map { [$0.low, $0.high] })
    }

    /// The nodes with which a node has links.
    package func neighbours(of node: Int) -> [Int] {
        edges.filter { $0.low == node || $0.high == node }.map { $0.low == node ? $0.high : $0.low }
    }
}
