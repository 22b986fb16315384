import Testing
import TourModel
import TourSimulator

// Goal: without faults everything arrives, and cheaply: the pushes form a tree.
// Method: fixed seeds, 20 nodes, the production machines under a virtual clock; deliveries counted on the links.
@Suite struct FaultlessTests {
    @Test(arguments: [1, 2] as [UInt64])
    func meshBecomesATree(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(20))
        simulation.connectAll()
        simulation.run(for: .seconds(2))
        simulation.everybodyWrites(2, within: .seconds(4), using: &rng)
        simulation.run(for: .seconds(6))
        let before = simulation.counts
        simulation.everybodyWrites(10, within: .seconds(20), using: &rng)
        simulation.run(for: .seconds(21))
        let after = simulation.counts
        let events = 200
        let deliveries = after.pushedEvents + after.pulledEvents - before.pushedEvents - before.pulledEvents
        let perEvent = Double(deliveries) / Double(events * 19)
        #expect(perEvent <= 1.6, "seed \(seed): each node got each event \(perEvent) times")
        simulation.settle(within: .seconds(10))
    }

    @Test(arguments: [Topology.ring(20), .chain(20), .segments(4, of: 6), .bridge(10)])
    func everyTopologyConverges(topology: Topology) {
        let seed: UInt64 = 4
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: topology)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.everybodyWrites(5, within: .seconds(5), using: &rng)
        simulation.run(for: .seconds(5))
        simulation.settle(within: .seconds(10))
    }

    @Test func oneSeedIsOneCourse() {
        let courses = [7, 7, 8].map { (seed: UInt64) -> UInt64 in
            var rng = SplitMix64(seed: seed)
            let simulation = Simulation(seed: seed, topology: .segments(2, of: 5))
            simulation.conditions.lossPerMille = 100
            simulation.breaksPerMille = 100
            simulation.connectAll()
            simulation.everybodyWrites(5, within: .seconds(5), using: &rng)
            simulation.after(.seconds(2)) { simulation.crash(3) }
            simulation.after(.seconds(4)) { simulation.restart(3) }
            simulation.run(for: .seconds(12))
            return simulation.trace.value
        }
        #expect(courses[0] == courses[1])
        #expect(courses[0] != courses[2])
    }
}
