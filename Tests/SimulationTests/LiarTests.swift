import Testing
import TourGossip
import TourGroup
import TourModel
import TourSimulator
import TourWire

// Goal: a member who lies costs others little and stops nobody.
// Method: fixed seeds, 20 nodes of which one is told what to send; the others must converge, bounded, without a crash.
@Suite struct LiarTests {
    @Test(arguments: [61, 62] as [UInt64])
    func forkedLog(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(20))
        let liar = 7
        simulation.silence(liar)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.fork(liar, length: 5, pause: .milliseconds(300))
        simulation.everybodyWrites(5, within: .seconds(10), using: &rng)
        simulation.run(for: .seconds(10))
        let faults = simulation.honest.reduce(0) { $0 + ($1.faults[.forkedLog] ?? 0) }
        #expect(faults > 0, "seed \(seed): nobody saw the fork")
        let wants = simulation.counts.wants
        simulation.run(for: .seconds(20))
        #expect(simulation.counts.wants - wants < 400, "seed \(seed): the fork is asked for in a circle")
        simulation.settle(within: .seconds(10), excepting: [simulation.nodes[liar].id])
    }

    @Test(arguments: [71, 72] as [UInt64])
    func lyingPeer(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(20))
        let liar = 3
        let victims = simulation.nodes.map(\.id).filter { $0 != simulation.nodes[liar].id }
        // Claims to have everything, serves nothing but says that it did.
        simulation.feign(liar)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.everybodyWrites(5, within: .seconds(20), using: &rng)
        for round in 0..<100 {
            simulation.after(.milliseconds(Int64(round) * 200)) {
                let target = Int.random(in: 0..<20, using: &rng)
                guard target != liar else { return }
                for lie in Lies.about(victims, using: &rng) { simulation.inject(lie, from: liar, to: target) }
            }
        }
        simulation.run(for: .seconds(20))
        let bad = simulation.honest.reduce(0) { $0 + ($1.faults[.badRun] ?? 0) }
        #expect(bad > 0)
        simulation.settle(within: .seconds(15), excepting: [simulation.nodes[liar].id])
    }

    /// A guide who was removed signs an invite for a place of before: all have one roster, and it opens nothing.
    @Test(arguments: [91, 92] as [UInt64])
    func removedLeaderDatesBack(seed: UInt64) {
        let simulation = Simulation(seed: seed, topology: .mesh(10))
        let liar = 4
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.give(.guide, to: liar, by: 0)
        for number in 0..<3 { simulation.write("message \(number)", node: liar) }
        simulation.run(for: .seconds(3))
        simulation.give(nil, to: liar, by: 0)
        simulation.dateBack(liar)
        simulation.run(for: .seconds(3))
        let id = simulation.nodes[liar].id
        for node in simulation.honest where node.number != liar {
            let dated = node.group.controls(behind: [:]).filter { event in
                guard event.header.author == id, case .invite? = try? ControlBody(decoding: event.body) else {
                    return false
                }
                return true
            }
            #expect(dated.count == 1, "seed \(seed): \(node.number) has not heard of it")
            #expect(node.group.roster.members[id]?.isRemoved == true)
            #expect(!node.group.roster.invites.values.contains { $0.author == id }, "seed \(seed): it counts")
        }
        #expect(RosterChecker().problems(in: simulation).isEmpty, "seed \(seed)")
    }

    /// A peer that says nothing when it is asked holds nobody up for longer than the timeout.
    @Test func silentPeer() {
        let seed: UInt64 = 81
        let simulation = Simulation(seed: seed, topology: .mesh(6), members: 5)
        let liar = 2
        simulation.silence(liar)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        for node in [0, 1, 3, 4] { simulation.write(count: 300, node: node) }
        simulation.run(for: .seconds(5))
        simulation.admit(5, by: 0)
        simulation.run(for: .milliseconds(60))
        let heads = simulation.nodes.map { TaggedHead(prefix: $0.id.prefix, sequence: 1_000_000, tag: 1) }
        simulation.inject(.have(Have(heads: heads)), from: liar, to: 5)
        simulation.run(for: .seconds(1))
        simulation.settle(within: .seconds(10), excepting: [simulation.nodes[liar].id])
    }

    /// A member writes what costs most to look at: no single addition takes an honest node more than a few steps for
    /// each event that it holds, all come to one roster, and the chat goes on.
    @Test(arguments: [95, 96] as [UInt64])
    func burden(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(6))
        let liar = 3
        simulation.silence(liar)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.burden(liar, with: Burden(count: 600), partBytes: 65_536)
        simulation.everybodyWrites(3, within: .seconds(5), using: &rng)
        simulation.run(for: .seconds(10))
        let held = simulation.honest.map { node in node.group.controls(missingFrom: []).reduce(0) { $0 + $1.count } }
        // What counts, of as many as one sponsor may bring, and a share of what does not.
        #expect((held.max() ?? 0) < Limits.plainControlBytesMax + Limits.sponsoredMax * 1_000, "seed \(seed)")
        #expect(EffortChecker().problems(in: simulation) == [], "seed \(seed)")
        #expect(RosterChecker().problems(in: simulation) == [], "seed \(seed)")
        simulation.settle(within: .seconds(10), excepting: [simulation.nodes[liar].id])
    }
}
