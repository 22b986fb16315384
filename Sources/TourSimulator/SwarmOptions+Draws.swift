import TourModel

/// The random parts of a swarm. Each has its own numbers, so that leaving one out does not change the others: the
/// search for the smallest failing case depends on that.
enum SwarmStream: UInt64 {
    case options = 1
    case roles, topology, messages, joins, loss, partitions, mutes, crashes, clocks, attacks, acts, heaps, disks, guests

    func generator(seed: UInt64) -> SplitMix64 {
        var mixer = SplitMix64(seed: seed &* 64 &+ rawValue)
        return SplitMix64(seed: mixer.next())
    }
}

extension SwarmOptions {
    /// A larger mesh is no network that anybody has, and slow to play.
    private static let meshNodesMax = 16

    /// The options of a seed, with at most this many nodes. Every fault is left out for half of the seeds: a fault
    /// that is always present hides what it prevents.
    package static func drawn(seed: UInt64, nodesMax: Int) -> SwarmOptions {
        var rng = SwarmStream.options.generator(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &rng) }
        func sometimes(_ range: ClosedRange<Int>) -> Int { number(0...1) == 0 ? 0 : number(range) }
        var options = SwarmOptions()
        let most = max(nodesMax, 2)
        options.nodes = number(max(2, most / 5)...most)
        let kinds = Topology.Kind.given
        options.topology = kinds[number(0...kinds.count - 1)]
        if options.topology == .mesh, options.nodes > Self.meshNodesMax { options.topology = .random }
        options.degree = number(3...8)
        options.joiners = sometimes(1...max(1, options.nodes / 10))
        options.messages = number(1...5)
        options.seconds = number(10...40)
        options.loss = sometimes(10...300)
        options.bursts = number(0...1)
        options.latency = number(1...60)
        options.jitter = number(0...40)
        options.rate = number(0...1) == 0 ? 2_500 : number(125...1_000)
        options.breaks = sometimes(5...150)
        options.partitions = sometimes(1...3)
        options.mutes = sometimes(1...2)
        options.crashes = sometimes(1...options.nodes)
        options.steps = sometimes(1...options.nodes)
        options.unset = sometimes(1...max(1, options.nodes / 8))
        let liarsMax = max(1, options.nodes / 12)
        options.forkers = sometimes(1...liarsMax)
        options.liars = sometimes(1...liarsMax)
        options.flooders = sometimes(1...liarsMax)
        // Drawn last, so that earlier seeds keep their other faults.
        options.segments = sometimes(1...3)
        options.air.loss = sometimes(10...400)
        options.air.doubles = sometimes(10...200)
        options.air.blocked = number(0...7) == 0 ? 1 : 0
        if number(0...4) < 2 { options.topology = .overlay }
        options.silent = sometimes(100...1_000)
        options.acts = sometimes(1...8)
        options.air.pathless = max(0, number(0...7) - 5)
        options.share = sometimes(1...4)
        options.gluttons = sometimes(1...liarsMax)
        options.heaps = sometimes(1...4)
        options.disks = sometimes(1...max(1, options.nodes / 4))
        options.guests = sometimes(1...6)
        return options.fitted()
    }
}
