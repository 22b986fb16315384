import Testing
import TourGossip
import TourGroup
import TourModel
import TourSimulator
import TourWire

/// Goal: where an author gives two events for one place to different nodes, at the end of its log and never to write
/// again, all honest nodes that meet come to know the fork, and none says that another has its text.
/// Method: fixed seeds, 8 nodes of which one hands out two events: to neighbours at one moment, to both sides of a
/// partition, and one of them to somebody who joins.
@Suite struct EquivocationTests {
    /// A tour whose liar is silent but for what it hands out; it may be a guide.
    private static func tour(seed: UInt64, liar: Int, asGuide: Bool = false, members: Int = 8) -> Simulation {
        let simulation = Simulation(seed: seed, topology: .mesh(8), members: members)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        if asGuide { simulation.give(.guide, to: liar, by: 0) }
        simulation.write("before", node: liar)
        simulation.run(for: .seconds(3))
        simulation.silence(liar)
        return simulation
    }

    private static func expectAllKnow(_ simulation: Simulation, _ liar: Int, within limit: Duration) {
        let id = simulation.nodes[liar].id
        func isKnown() -> Bool {
            simulation.honest.allSatisfy { $0.gossip.logEnd(of: id) < simulation.nodes[liar].forgedEnd }
        }
        let time = simulation.run(atMost: limit, until: isKnown)
        #expect(time != nil, "seed \(simulation.seed): the fork is not known to all in \(limit)")
        simulation.run(for: .seconds(15))
        #expect(EquivocationChecker().problems(in: simulation) == [], "seed \(simulation.seed)")
        #expect(StatusChecker().problems(in: simulation) == [], "seed \(simulation.seed)")
        let wants = simulation.counts.wants
        simulation.run(for: .seconds(20))
        #expect(simulation.counts.wants - wants < 30, "seed \(simulation.seed): the fork is asked for in a circle")
        simulation.settle(within: .seconds(10), excepting: [id])
    }

    @Test(arguments: [101, 102, 103, 104] as [UInt64], [false, true])
    func atOneMoment(seed: UInt64, announcing: Bool) {
        let liar = 5
        let simulation = Self.tour(seed: seed, liar: liar, asGuide: announcing)
        let events = simulation.equivocate(liar, announcing: announcing)
        for (number, neighbour) in simulation.topology.neighbours(of: liar).enumerated() {
            simulation.hand(events[number % 2], from: liar, to: neighbour)
        }
        Self.expectAllKnow(simulation, liar, within: .seconds(40))
    }

    /// Each side takes one event, and says so to everybody there, before the sides meet.
    @Test(arguments: [111, 112, 113] as [UInt64], [false, true])
    func acrossAPartition(seed: UInt64, announcing: Bool) {
        let liar = 0
        let simulation = Self.tour(seed: seed, liar: liar, asGuide: announcing)
        let hearers = simulation.topology.neighbours(of: liar)
        let others = simulation.nodes.indices.filter { $0 != hearers[0] && $0 != liar }
        let events = simulation.equivocate(liar, announcing: announcing)
        for (number, sides) in [[others + [liar], [hearers[0]]], [others, [hearers[0], liar]]].enumerated() {
            simulation.partition(sides)
            simulation.connectAll()
            simulation.run(for: .seconds(5))
            simulation.hand(events[number], from: liar, to: hearers[1 - number])
            simulation.run(for: .seconds(15))
        }
        let id = simulation.nodes[liar].id
        #expect(Set(simulation.honest.map { $0.store.heads[id]?.id }) == Set(events.map(\.id)), "seed \(seed)")
        simulation.heal()
        Self.expectAllKnow(simulation, liar, within: .seconds(40))
    }

    /// One who has just joined is given the other event while it takes the logs of everybody.
    @Test(arguments: [121, 122, 123] as [UInt64])
    func atAJoin(seed: UInt64) {
        let newcomer = 7
        let liar = Topology.mesh(8).neighbours(of: newcomer)[0]
        let simulation = Self.tour(seed: seed, liar: liar, members: 7)
        let events = simulation.equivocate(liar)
        simulation.hand(events[0], from: liar, to: Topology.mesh(8).neighbours(of: liar)[0])
        simulation.run(for: .seconds(5))
        simulation.admit(newcomer, by: liar == 0 ? 1 : 0)
        for delay in [50, 100, 200, 400] as [Int64] {
            simulation.after(.milliseconds(delay)) {
                // The newcomer reads no more than control events of a peer that has not said which of these it holds.
                simulation.inject(.controlIndex([]), from: liar, to: newcomer)
                simulation.hand(events[1], from: liar, to: newcomer)
            }
        }
        simulation.run(for: .seconds(1))
        Self.expectAllKnow(simulation, liar, within: .seconds(40))
    }
}
