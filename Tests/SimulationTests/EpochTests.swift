import Testing
import TourGroup
import TourModel
import TourSimulator
import TourWire

/// Goal: new epochs reach everybody with their keys, whatever the network does, and two heads become one. Method: the
/// creator rekeys while links break, halves are apart and members join; fixed seeds.
@Suite struct EpochTests {
    private func check(_ simulation: Simulation) {
        let problems = EpochChecker(isSettled: true).problems(in: simulation)
        #expect(problems.isEmpty, "seed \(simulation.seed): \(problems.prefix(5).joined(separator: "; "))")
    }

    private func heads(_ simulation: Simulation, _ node: Int) -> [EpochID] {
        simulation.nodes[node].group.keyring.graph.heads
    }

    @Test(arguments: [61, 62] as [UInt64]) func epochsReachEverybody(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .segments(3, of: 4))
        simulation.conditions.lossPerMille = 200
        simulation.breaksPerMille = 200
        simulation.connectAll()
        simulation.everybodyWrites(5, within: .seconds(20), using: &rng)
        for second in [3, 6, 9] { simulation.after(.seconds(second)) { simulation.rekey(0) } }
        simulation.run(for: .seconds(20))
        simulation.settle(within: .seconds(20))
        #expect(simulation.nodes[0].group.keyring.graph.epochs.count == 4)
        check(simulation)
        // What was written under each epoch opens everywhere.
        for node in simulation.nodes {
            let sealed = node.store.inOrder.filter { $0.header.eventClass == .chat }
            #expect(sealed.count == simulation.nodes.count * 5)
            #expect(sealed.allSatisfy { (try? node.group.open($0)) != nil })
        }
    }

    @Test func halvesCatchUpAndNewcomersToo() {
        let simulation = Simulation(seed: 63, topology: .mesh(8), members: 7)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.partition([[0, 1, 2, 3], [4, 5, 6, 7]])
        simulation.rekey(0)
        simulation.admit(7, by: 5)
        simulation.write("under the old epoch", node: 6)
        simulation.run(for: .seconds(5))
        #expect(heads(simulation, 0) != heads(simulation, 6))
        simulation.heal()
        simulation.settle(within: .seconds(10))
        // The newcomer is no recipient of the rekey that was made elsewhere: it asked.
        #expect(heads(simulation, 7) == heads(simulation, 0))
        check(simulation)
    }

    /// Nobody but the founder has spoken, so its rekey names nobody else: each member asks its neighbours when the
    /// rekey comes. Where that is faster than the key, the key passes one link at each review. The checker names the
    /// member that is next, and nobody behind it.
    @Test func keyPassesALinkAtEachReview() {
        let simulation = Simulation(seed: 64, topology: .chain(12))
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.rekey(0)
        simulation.run(for: .seconds(5))
        func holders() -> [Int] {
            simulation.nodes.filter { $0.group.keyring.isHeld(heads(simulation, 0)[0]) }.map(\.number)
        }
        var held = holders()
        #expect(held.count < simulation.nodes.count)
        while held.count < simulation.nodes.count {
            #expect(held == Array(0..<held.count))
            #expect(EpochChecker(isSettled: true).problems(in: simulation) == ["node \(held.count) lacks a key"])
            simulation.run(for: .seconds(11))
            guard holders().count > held.count else { break }
            held = holders()
        }
        check(simulation)
        #expect(holders().count == simulation.nodes.count)
    }
}
