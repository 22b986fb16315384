import Testing
import TourGossip
import TourModel
import TourSimulator

// Goal: a disk that refuses writes, all of them or some, loses nothing that was acknowledged and makes no fork, and
// once it stores again its node is whole.
// Method: fixed seeds; the machines' own answer to a failed write, as a node's shell carries it out.
@Suite struct DiskTests {
    /// One disk is full for a while, two have bad places.
    @Test(arguments: [71, 72, 73, 74] as [UInt64])
    func disksThatRefuseWrites(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(12))
        simulation.connectAll()
        simulation.everybodyWrites(10, within: .seconds(30), using: &rng)
        let failing = [(node: 2, perMille: 1_000), (node: 5, perMille: 400), (node: 7, perMille: 60)]
        for (node, perMille) in failing {
            simulation.after(.seconds(5)) { simulation.failWrites(of: node, perMille: perMille) }
            simulation.after(.seconds(20)) { simulation.failWrites(of: node, perMille: 0) }
        }
        simulation.run(for: .seconds(15))
        #expect(simulation.counts.disks.refusedWrites > 10, "seed \(seed): no write failed")
        #expect(!ConvergenceChecker().holds(in: simulation), "seed \(seed): a full disk stored all")
        simulation.run(for: .seconds(20))
        simulation.settle(within: .seconds(20))
        for (node, _) in failing {
            let written = simulation.nodes[node].acknowledged.count
            simulation.write("again", node: node)
            #expect(simulation.nodes[node].acknowledged.count == written + 1, "seed \(seed): node \(node) is silent")
            #expect(simulation.nodes[node].ownLog == .ready, "seed \(seed)")
        }
        simulation.settle(within: .seconds(5))
    }

    /// What a full disk refuses is not acknowledged, and never leaves the device: its place is written once.
    @Test func aRefusedMessageIsNotSent() {
        let seed: UInt64 = 75
        let simulation = Simulation(seed: seed, topology: .mesh(4))
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        let before = simulation.nodes[2].acknowledged.count
        simulation.failWrites(of: 2, perMille: 1_000)
        simulation.write("refused", node: 2)
        #expect(simulation.nodes[2].acknowledged.count == before)
        simulation.failWrites(of: 2, perMille: 0)
        simulation.write("stored", node: 2)
        #expect(simulation.nodes[2].acknowledged.count == before + 1)
        simulation.settle(within: .seconds(10))
        let stored = simulation.nodes.map { $0.store.logs[simulation.nodes[2].id]?.count }
        #expect(stored.allSatisfy { $0 == stored[2] } && simulation.nodes.allSatisfy { $0.ownLog == .ready })
    }

    /// Power fails while the disk refuses writes.
    @Test(arguments: [76, 77] as [UInt64])
    func crashesBesideRefusedWrites(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .segments(3, of: 4))
        simulation.conditions.lossPerMille = 50
        simulation.connectAll()
        simulation.everybodyWrites(8, within: .seconds(30), using: &rng)
        for _ in 0..<6 {
            let node = Int.random(in: 0..<simulation.nodes.count, using: &rng)
            let time = Duration.milliseconds(Int64.random(in: 500..<25_000, using: &rng))
            let failures = Int.random(in: 100...1_000, using: &rng)
            simulation.after(time) { simulation.failWrites(of: node, perMille: failures) }
            simulation.after(time + .seconds(3)) { simulation.crash(node) }
            simulation.after(time + .seconds(4)) { simulation.restart(node) }
            simulation.after(time + .seconds(8)) { simulation.failWrites(of: node, perMille: 0) }
        }
        simulation.run(for: .seconds(40))
        #expect(simulation.counts.disks.refusedWrites > 0, "seed \(seed): no write failed")
        simulation.settle(within: .seconds(20))
        #expect(simulation.nodes.allSatisfy { $0.ownLog == .ready }, "seed \(seed): a key was lost")
    }

    /// Beside all other faults, datagrams and chosen links among them.
    @Test(arguments: [81, 83, 84, 85] as [UInt64])
    func swarmWithFailingDisks(seed: UInt64) {
        var options = SwarmOptions.drawn(seed: seed, nodesMax: 12)
        options.disks = 6
        let result = playWell(seed, options)
        #expect(result.counts.disks.refusedWrites > 0, "seed \(seed): no write failed")
    }
}
