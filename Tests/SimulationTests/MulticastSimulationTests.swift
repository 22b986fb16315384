import Testing
import TourGossip
import TourModel
import TourSimulator
import TourWire

// Goal: on a shared network everything arrives by datagram, at a small part of the links' cost, also when datagrams are
// lost, and by links where none comes through.
// Method: fixed seeds, 20 nodes on one segment, links in a ring with chords; bytes counted as on the wire.
@Suite struct MulticastSimulationTests {
    @Test(arguments: [0, 100, 300])
    func lossIsRepaired(lossPerMille: Int) {
        let seed = UInt64(lossPerMille + 1)
        let simulation = Self.tour(seed: seed)
        var rng = SplitMix64(seed: seed)
        simulation.air.lossPerMille = lossPerMille
        simulation.air.doublesPerMille = 50
        let before = simulation.counts
        simulation.everybodyWrites(5, within: .seconds(20), using: &rng)
        simulation.run(for: .seconds(22))
        let after = simulation.counts
        let aired = after.airedEvents - before.airedEvents
        #expect(after.unsentDatagrams == 0)
        #expect(aired > 100 * 15, "seed \(seed): \(aired) came by datagram")
        #expect(after.pushedEvents - before.pushedEvents < 100, "seed \(seed): links carried what the air did")
        simulation.settle(within: .seconds(15))
    }

    /// A third of the rows never comes, and yet everybody knows what everybody has.
    @Test func claimsAreCompleteInTheEnd() {
        let seed: UInt64 = 77
        let simulation = Self.tour(seed: seed)
        var rng = SplitMix64(seed: seed)
        simulation.air.lossPerMille = 300
        simulation.everybodyWrites(3, within: .seconds(20), using: &rng)
        simulation.run(for: .seconds(20))
        simulation.air.lossPerMille = 0
        simulation.run(for: .seconds(45))
        let nodes = simulation.honest
        let unknown = nodes.flatMap { node in nodes.map { Self.headsUnknown(of: $0, at: node) } }
        #expect(unknown.reduce(0, +) == 0, "seed \(seed): \(unknown.reduce(0, +)) heads are not known")
    }

    /// How many heads of what a member has another does not know of it.
    private static func headsUnknown(of member: SimulatedNode, at node: SimulatedNode) -> Int {
        guard member.number != node.number else { return 0 }
        let known = SeatClaims.stated(by: member.id, in: node.gossip)
        return member.store.heads.filter { known[$0.key.prefix] ?? 0 < $0.value.sequence }.count
    }

    @Test func aBlockedNetworkLivesByItsLinks() {
        let simulation = Self.tour(seed: 9) { $0.air.isBlocked = true }
        var rng = SplitMix64(seed: 9)
        simulation.everybodyWrites(5, within: .seconds(10), using: &rng)
        simulation.run(for: .seconds(10))
        #expect(simulation.counts.airedEvents == 0)
        simulation.settle(within: .seconds(10))
    }

    @Test func aNodeBetweenTwoNetworksCarries() {
        let nodes = Array(0..<12)
        let seed: UInt64 = 5
        let simulation = Simulation(seed: seed, topology: .segments(2, of: 6))
        simulation.share(Array(nodes[0...5]))
        simulation.share(Array(nodes[5...10]))
        simulation.connectAll()
        simulation.run(for: .seconds(5))
        var rng = SplitMix64(seed: seed)
        simulation.everybodyWrites(5, within: .seconds(10), using: &rng)
        simulation.run(for: .seconds(11))
        #expect(simulation.counts.airedEvents > 55 * 8)
        simulation.settle(within: .seconds(10))
    }

    @Test func partitionsAndCrashesHeal() {
        let seed: UInt64 = 31
        let simulation = Self.tour(seed: seed)
        var rng = SplitMix64(seed: seed)
        simulation.air.lossPerMille = 100
        simulation.breaksPerMille = 50
        simulation.everybodyWrites(8, within: .seconds(30), using: &rng)
        simulation.after(.seconds(5)) { simulation.partition([Array(0..<8), Array(8..<20)]) }
        simulation.after(.seconds(15)) { simulation.heal() }
        simulation.after(.seconds(18)) { simulation.crash(4) }
        simulation.after(.seconds(22)) { simulation.restart(4) }
        simulation.run(for: .seconds(32))
        simulation.air.lossPerMille = 0
        simulation.settle(within: .seconds(20))
    }

    /// Twenty members on one network who have found each other.
    private static func tour(seed: UInt64, _ prepare: (Simulation) -> Void = { _ in }) -> Simulation {
        let count = 20
        let chords = (0..<count).flatMap { [Topology.Edge($0, ($0 + 1) % count), Topology.Edge($0, ($0 + 7) % count)] }
        let simulation = Simulation(seed: seed, topology: Topology(count: count, edges: chords))
        prepare(simulation)
        simulation.share(Array(0..<count))
        simulation.connectAll()
        simulation.run(for: .seconds(10))
        return simulation
    }
}
