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
        #expect(playWell(seed, options).events > 0)
    }

    /// Three admins and the founder act on each other and on members while the network is in two.
    @Test(arguments: [21, 22, 23] as [UInt64])
    func actsInTwoHalves(seed: UInt64) throws {
        try playWell(seed, SwarmOptions("nodes=10,messages=3,seconds=12,partitions=3,acts=20"))
    }

    /// Seed 396 of 50: two remove somebody, and replace the key once all else has settled. Along a chain of 39 that
    /// takes longer than what is settled is watched, so it is waited for.
    @Test func keyReplacedAtTheEnd() throws {
        try playWell(396, SwarmOptions("topology=chain,nodes=39,messages=1,seconds=2,segments=1,mutes=1,acts=6"))
    }

    /// Seeds 90 and 166 of 50: somebody is removed before most have spoken, so that the rekey leaves them out, and they
    /// ask their neighbours for the key. It passes one link of a chain at each review, and all of them are waited for.
    @Test(arguments: [7, 27] as [UInt64])
    func keyAlongAChain(seed: UInt64) throws {
        try playWell(seed, SwarmOptions("topology=chain,nodes=12,messages=0,acts=4"))
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
        #expect(Minimiser(playWell(1, SwarmOptions())) == nil)
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
