import Testing
import TourGossip
import TourModel
import TourSimulator

// Goal: nodes that choose their links by the production rules come to a few links each that connect all of them, and do
// so again after losses: at once as a whole, and within two minutes in every place of the ring.
// Method: fixed seeds; everybody sees the addresses on its networks, which do not say whose they are; links are counted
// at both ends, and neighbours are looked up in the simulation, not in what a node believes.
@Suite struct OverlaySimulationTests {
    @Test func sixtyFindEachOtherAndAThirdDies() {
        let seed: UInt64 = 91
        var rng = SplitMix64(seed: seed)
        let simulation = Self.start(networks: [Array(0..<60)], seed: seed)
        #expect(simulation.partCount == 1, "seed \(seed): in \(simulation.partCount) parts")
        simulation.everybodyWrites(1, within: .seconds(10), using: &rng)
        let found = simulation.run(atMost: .seconds(180)) { simulation.ringGaps.isEmpty }
        #expect(found != nil, "seed \(seed): \(simulation.ringGaps)")
        Self.expectFewLinks(simulation, nodes: 60)

        for node in (1..<60).shuffled(using: &rng).prefix(20) { simulation.crash(node) }
        let joined = simulation.run(atMost: .seconds(5)) { simulation.partCount == 1 }
        #expect(joined != nil, "seed \(seed): in \(simulation.partCount) parts after a third has died")
        let repaired = simulation.run(atMost: .seconds(120)) { simulation.ringGaps.isEmpty }
        #expect(repaired != nil, "seed \(seed): \(simulation.ringGaps)")
        #expect(simulation.overlayCounts.repairs > 0)
        Self.expectFewLinks(simulation, nodes: 40)
        simulation.settle(within: .seconds(20))
    }

    @Test func whoDiesInSilenceIsMissedAfterTheKeepAlive() {
        let seed: UInt64 = 92
        var rng = SplitMix64(seed: seed)
        let simulation = Self.start(networks: [Array(0..<24)], seed: seed)
        _ = simulation.run(atMost: .seconds(90)) { simulation.ringGaps.isEmpty }
        simulation.overlayConditions.silentPerMille = 1_000
        for node in (1..<24).shuffled(using: &rng).prefix(8) { simulation.crash(node) }
        simulation.run(for: Limits.deadPeerTimeout)
        let joined = simulation.run(atMost: .seconds(5)) { simulation.partCount == 1 }
        #expect(joined != nil, "seed \(seed): in \(simulation.partCount) parts")
        let repaired = simulation.run(atMost: .seconds(90)) { simulation.ringGaps.isEmpty }
        #expect(repaired != nil, "seed \(seed): \(simulation.ringGaps)")
    }

    /// The others still have the old links of the device, and no sign that these are dead.
    @Test(arguments: [93, 94] as [UInt64])
    func whoComesBackWithAnotherPortTakesTheOldPlace(seed: UInt64) {
        let simulation = Self.start(networks: [Array(0..<8)], seed: seed)
        _ = simulation.run(atMost: .seconds(60)) { simulation.ringGaps.isEmpty }
        simulation.overlayConditions.silentPerMille = 1_000
        simulation.crash(3)
        simulation.run(for: .seconds(4))
        simulation.restart(3)
        #expect(!simulation.ringGaps.isEmpty)
        let repaired = simulation.run(atMost: .seconds(40)) { simulation.ringGaps.isEmpty }
        #expect(repaired != nil, "seed \(seed): \(simulation.ringGaps)")
        simulation.settle(within: .seconds(20))
    }

    @Test func islandsGrowTogether() {
        let seed: UInt64 = 95
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: Topology(count: 40, networks: [Array(0..<40)]))
        simulation.partition([Array(0..<20), Array(20..<40)])
        simulation.connectAll()
        simulation.everybodyWrites(2, within: .seconds(40), using: &rng)
        simulation.run(for: .seconds(45))
        #expect(simulation.partCount == 2, "seed \(seed): in \(simulation.partCount) parts")
        simulation.heal()
        let joined = simulation.run(atMost: .seconds(25)) { simulation.partCount == 1 }
        #expect(joined != nil, "seed \(seed): in \(simulation.partCount) parts")
        let repaired = simulation.run(atMost: .seconds(120)) { simulation.ringGaps.isEmpty }
        #expect(repaired != nil, "seed \(seed): \(simulation.ringGaps)")
        Self.expectFewLinks(simulation, nodes: 40)
        simulation.settle(within: .seconds(20))
    }

    /// Every network has its ring, so that a node between two of them is not full before its neighbours have come.
    @Test(arguments: [96, 97] as [UInt64])
    func networksInARow(seed: UInt64) {
        let networks = [Array(0...15), Array(15...30), Array(30..<45)]
        let simulation = Self.start(networks: networks, seed: seed)
        var rng = SplitMix64(seed: seed)
        simulation.everybodyWrites(1, within: .seconds(10), using: &rng)
        let found = simulation.run(atMost: .seconds(150)) { simulation.ringGaps.isEmpty && simulation.partCount == 1 }
        #expect(found != nil, "seed \(seed): \(simulation.ringGaps)")
        Self.expectFewLinks(simulation, nodes: 45)
        simulation.settle(within: .seconds(20))
    }

    @Test func ofTwoDialsAtOnceOneLinkStays() {
        let seed: UInt64 = 99
        let simulation = Simulation(seed: seed, topology: Topology(count: 5, networks: [Array(0..<5)]))
        simulation.overlayConditions.start = .zero
        simulation.overlayConditions.discovery = .zero
        simulation.conditions.jitter = .zero
        simulation.connectAll()
        simulation.run(for: .seconds(2))
        #expect(simulation.overlayCounts.duplicates > 0)
        #expect(simulation.linkCount == 10)
        for node in 0..<5 { #expect(simulation.linkCount(of: node) == 4, "node \(node)") }
        simulation.run(for: .seconds(30))
        #expect(simulation.linkCount == 10)
        #expect(simulation.counts.breaks == 0)
    }

    @Test func aHundredAreConnectedAtOnce() {
        let seed: UInt64 = 100
        let simulation = Self.start(networks: [Array(0..<100)], seed: seed)
        #expect(simulation.partCount == 1, "seed \(seed): in \(simulation.partCount) parts")
        simulation.run(for: .seconds(6))
        #expect(simulation.partCount == 1, "seed \(seed): in \(simulation.partCount) parts")
        #expect(LinkCountChecker().problems(in: simulation).isEmpty)
        #expect(simulation.linkCount <= 600, "seed \(seed): \(simulation.linkCount) links")
    }

    @Test func oneSeedIsOneCourse() {
        let courses = [7, 7, 8].map { (seed: UInt64) -> UInt64 in
            let simulation = Self.start(networks: [Array(0..<8), Array(7..<14)], seed: seed)
            simulation.overlayConditions.silentPerMille = 500
            simulation.conditions.lossPerMille = 100
            simulation.breaksPerMille = 50
            simulation.after(.seconds(2)) { simulation.crash(3) }
            simulation.after(.seconds(4)) { simulation.restart(3) }
            simulation.run(for: .seconds(15))
            return simulation.trace.value
        }
        #expect(courses[0] == courses[1])
        #expect(courses[0] != courses[2])
    }

    @Test func aSwarmThatChoosesItsLinks() throws {
        let faults = "crashes=4,silent=500,partitions=1"
        let result = playWell(5, try SwarmOptions("nodes=14,topology=overlay,segments=2,seconds=25,\(faults)"))
        #expect(result.repair != nil)
        #expect(result.overlay.dials > 0)
    }

    /// Everybody has started and heard of the others, and there was a moment to dial.
    private static func start(networks: [[Int]], seed: UInt64) -> Simulation {
        let count = (networks.joined().max() ?? 0) + 1
        let simulation = Simulation(seed: seed, topology: Topology(count: count, networks: networks))
        simulation.connectAll()
        simulation.run(for: .seconds(9))
        return simulation
    }

    /// Once what is too much has been given up.
    private static func expectFewLinks(
        _ simulation: Simulation, nodes: Int, at location: SourceLocation = #_sourceLocation
    ) {
        let most = LinkCountChecker().problems(in: simulation)
        #expect(most.isEmpty, "\(most)", sourceLocation: location)
        let quiet = LinkCountChecker(isQuiet: true)
        let time = simulation.run(atMost: .seconds(90)) { quiet.problems(in: simulation).isEmpty }
        #expect(time != nil, "\(quiet.problems(in: simulation))", sourceLocation: location)
        let links = simulation.linkCount
        #expect(links >= nodes * 2 && links <= nodes * 5 + 10, "\(links) links", sourceLocation: location)
    }
}
