import Testing
import TourModel
import TourSimulator

// Goal: swarms drawn from seeds end well, the same way each time, and a swarm that does not is found and made small.
// Method: a fixed handful of seeds of up to 12 nodes (Scripts/simulate plays a thousand of 50), and a swarm whose disks
// lose what was acknowledged.
@Suite struct SwarmTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func drawnSwarm(seed: UInt64) {
        let options = SwarmOptions.drawn(seed: seed, nodesMax: 12)
        let result = Swarm(seed: seed, options: options).play()
        #expect(result.failure == nil, "seed \(seed): \(result.failure as Any); --with \(options.text)")
        #expect(result.events > 0)
    }

    /// Three admins and the founder act on each other and on members while the network is in two.
    @Test(arguments: [21, 22, 23] as [UInt64])
    func actsInTwoHalves(seed: UInt64) {
        var options = SwarmOptions()
        options.nodes = 10
        options.messages = 3
        options.seconds = 12
        options.partitions = 3
        options.acts = 20
        let result = Swarm(seed: seed, options: options).play()
        #expect(result.failure == nil, "seed \(seed): \(result.failure as Any); --with \(options.text)")
    }

    /// Seed 396 of 50: two remove somebody, and replace the key once all else has settled. Along a chain of 39 that
    /// takes longer than what is settled is watched, so it is waited for.
    @Test func keyReplacedAtTheEnd() {
        var options = SwarmOptions()
        options.topology = .chain
        options.nodes = 39
        options.messages = 1
        options.seconds = 2
        options.segments = 1
        options.mutes = 1
        options.acts = 6
        let result = Swarm(seed: 396, options: options).play()
        #expect(result.failure == nil, "\(result.failure as Any); --with \(options.text)")
    }

    /// Seeds 90 and 166 of 50: somebody is removed before most have spoken, so that the rekey leaves them out, and they
    /// ask their neighbours for the key. It passes one link of a chain at each review, and all of them are waited for.
    @Test(arguments: [7, 27] as [UInt64])
    func keyAlongAChain(seed: UInt64) {
        var options = SwarmOptions()
        options.topology = .chain
        options.nodes = 12
        options.messages = 0
        options.acts = 4
        let result = Swarm(seed: seed, options: options).play()
        #expect(result.failure == nil, "seed \(seed): \(result.failure as Any); --with \(options.text)")
    }

    @Test func sameSeedSameTrace() {
        let traces = [9, 9, 10].map { (seed: UInt64) -> UInt64 in
            let options = SwarmOptions.drawn(seed: seed, nodesMax: 8)
            return Swarm(seed: seed, options: options).play().trace
        }
        #expect(traces[0] == traces[1])
        #expect(traces[0] != traces[2])
    }

    @Test func lostAcknowledgementIsFoundAndMadeSmall() throws {
        var options = SwarmOptions.drawn(seed: 3, nodesMax: 8)
        options.nodes = 8
        options.amnesia = 1
        let result = Swarm(seed: 3, options: options).play()
        #expect(result.failure?.checker == "acknowledgement", "\(result.failure as Any)")
        var minimiser = try #require(Minimiser(result))
        minimiser.minimise()
        var least = SwarmOptions()
        least.amnesia = 1
        #expect(minimiser.smallest.options == least)
        #expect(minimiser.smallest.failure?.checker == "acknowledgement")

        // What is printed is the whole case.
        var again = SwarmOptions.drawn(seed: 77, nodesMax: 30)
        try again.set(minimiser.smallest.options.text)
        #expect(again == minimiser.smallest.options)
        #expect(Swarm(seed: 3, options: again).play() == minimiser.smallest)
    }

    @Test func soundSwarmIsNotMinimised() {
        let result = Swarm(seed: 1, options: SwarmOptions()).play()
        #expect(result.failure == nil, "\(result.failure as Any)")
        #expect(Minimiser(result) == nil)
    }

    @Test(arguments: ["nodes", "nodes=1", "nodes=x", "size=4", "topology=star", "loss=901"])
    func textThatNamesNoOptions(text: String) {
        var options = SwarmOptions()
        #expect(throws: SwarmOptionFault.self) { try options.set(text) }
    }

    @Test(arguments: Topology.Kind.allCases)
    func everyTopologyHasItsNodes(kind: Topology.Kind) {
        for count in [2, 3, 7, 20] {
            var rng = SplitMix64(seed: 5)
            let topology = Topology.make(kind, of: count, degree: 3, using: &rng)
            #expect(Set(topology.edges.flatMap { [$0.low, $0.high] }) == Set(0..<count), "\(kind) of \(count)")
            #expect(topology.edges.allSatisfy { $0.low < $0.high })
        }
    }

    @Test func fewNodesLeaveRoomForFewLiars() {
        var options = SwarmOptions()
        options.nodes = 6
        options.joiners = 1
        options.forkers = 2
        options.liars = 9
        options.unset = 9
        let fitted = options.fitted()
        #expect([fitted.forkers, fitted.liars, fitted.flooders, fitted.unset] == [2, 1, 0, 1])
    }
}
