import Testing
import TourModel
import TourSimulator

// Goal: what is urgent overtakes its author's log on every hop, is shown once, and the log closes behind it.
// Method: fixed seeds, three nodes in a row whose second link is slow, the production machines under a virtual clock.
@Suite struct AheadTests {
    private static let far = 2

    private func chain(seed: UInt64) -> Simulation {
        let simulation = Simulation(seed: seed, topology: .chain(3))
        simulation.rates[Topology.Edge(1, Self.far)] = 20_000
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        return simulation
    }

    /// Waits until the last node shows the last event of node 0.
    /// - Returns: how many events of node 0 are in its log then.
    private func logWhenShown(_ simulation: Simulation, within limit: Duration) throws -> Int {
        let notice = try #require(simulation.nodes[0].acknowledged.last)
        let time = simulation.run(atMost: limit) { simulation.nodes[Self.far].store.shown[notice.id] == 1 }
        #expect(time != nil, "seed \(simulation.seed): not shown within \(limit)")
        return simulation.nodes[Self.far].store.logs[simulation.nodes[0].id]?.count ?? 0
    }

    private func closes(_ simulation: Simulation) {
        simulation.settle(within: .seconds(90))
        let problems = AheadChecker(settledBut: []).problems(in: simulation)
        #expect(problems.isEmpty, "seed \(simulation.seed): \(problems)")
    }

    @Test(arguments: [91, 92] as [UInt64])
    func aBacklogIsOvertaken(seed: UInt64) throws {
        let simulation = chain(seed: seed)
        simulation.write(count: 500, node: 0)
        simulation.run(for: .milliseconds(500))
        simulation.announce("the bus leaves at four", node: 0)
        #expect(try logWhenShown(simulation, within: .seconds(3)) < 400)
        // What is said behind it goes on.
        simulation.write("on my way", node: 0)
        closes(simulation)
    }

    @Test func aReturningMemberHasItFirst() throws {
        let simulation = chain(seed: 93)
        simulation.crash(Self.far)
        simulation.write(count: 1_000, node: 0)
        simulation.announce("the bus left", node: 0)
        simulation.run(for: .seconds(5))
        simulation.restart(Self.far)
        #expect(try logWhenShown(simulation, within: .seconds(5)) < 500)
        closes(simulation)
    }

    /// Whoever has it only ahead of its log gives it to others all the same.
    @Test func itIsCarriedOnFromThere() throws {
        let simulation = Simulation(seed: 94, topology: .chain(4))
        simulation.rates[Topology.Edge(1, Self.far)] = 20_000
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.crash(3)
        simulation.write(count: 500, node: 0)
        simulation.run(for: .milliseconds(500))
        simulation.announce("the bus leaves at four", node: 0)
        #expect(try logWhenShown(simulation, within: .seconds(3)) < 400)
        simulation.restart(3)
        let notice = try #require(simulation.nodes[0].acknowledged.last)
        let time = simulation.run(atMost: .seconds(2)) { simulation.nodes[3].store.shown[notice.id] == 1 }
        #expect(time != nil)
        #expect(simulation.nodes[3].store.logs[simulation.nodes[0].id]?.count ?? 0 < 500)
        closes(simulation)
    }

    @Test func crashesAndLossLeaveItOnce() {
        let seed: UInt64 = 95
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .segments(3, of: 4))
        simulation.conditions.bytesPerSecond = 30_000
        simulation.conditions.lossPerMille = 100
        simulation.breaksPerMille = 100
        simulation.connectAll()
        for node in simulation.nodes.indices { simulation.write(count: 100, node: node) }
        for round in 0..<20 {
            let node = Int.random(in: 0..<simulation.nodes.count, using: &rng)
            simulation.after(.milliseconds(Int64(round) * 900)) { simulation.announce("notice \(round)", node: node) }
            let victim = Int.random(in: 0..<simulation.nodes.count, using: &rng)
            simulation.after(.milliseconds(Int64(round) * 1_000)) { simulation.crash(victim) }
            simulation.after(.milliseconds(Int64(round) * 1_000 + 700)) { simulation.restart(victim) }
        }
        simulation.run(for: .seconds(25))
        closes(simulation)
    }
}
