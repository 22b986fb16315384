import TourModel

/// The links and networks of a measured tour, chosen here and nowhere else.
struct MeasuredNetwork {
    /// About as many links as the overlay lets a node keep (`Overlay.acceptMax`); 8 members are all linked.
    private static let degree = 10

    let topology: Topology
    /// Networks on which a datagram reaches everybody.
    let segments: [[Int]]

    /// Everybody on one network.
    static func oneSegment(_ members: Int, seed: UInt64) -> MeasuredNetwork {
        var rng = SplitMix64(seed: seed)
        let topology = Topology.make(.random, of: members, degree: degree, using: &rng)
        return MeasuredNetwork(topology: topology, segments: [Array(0..<members)])
    }

    /// Two networks of the same size, and one link between them.
    static func twoHalves(_ members: Int, seed: UInt64) -> MeasuredNetwork {
        var rng = SplitMix64(seed: seed)
        let topology = Topology.make(.bridge, of: members, degree: degree, using: &rng)
        return MeasuredNetwork(
            topology: topology, segments: [Array(0..<members / 2), Array(members / 2..<members)])
    }

    /// Two networks of the same size, and two members in both.
    static func twoBridges(_ members: Int, seed: UInt64) -> MeasuredNetwork {
        var rng = SplitMix64(seed: seed)
        let half = members / 2
        let segments = [Array(0...half), Array(half - 1..<members)]
        var edges = [Topology.Edge]()
        for segment in segments {
            let part = Topology.make(.random, of: segment.count, degree: degree, using: &rng)
            edges += part.edges.map { Topology.Edge(segment[$0.low], segment[$0.high]) }
        }
        return MeasuredNetwork(topology: Topology(count: members, edges: edges), segments: segments)
    }

    /// The members in more than one network.
    var bridges: [Int] {
        (0..<topology.count).filter { node in segments.count { $0.contains(node) } > 1 }
    }
}
