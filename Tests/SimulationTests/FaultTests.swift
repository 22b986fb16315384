import Testing
import TourGossip
import TourModel
import TourSimulator

// Goal: whatever networks and devices do, nothing acknowledged is lost, nothing comes twice, and all ends the same.
// Method: fixed seeds, 20 nodes; each scenario ends with a time without faults in which all must converge.
@Suite struct FaultTests {
    @Test(arguments: [(10, 11), (20, 12), (30, 13)] as [(Int, UInt64)])
    func lossAndBreaks(percent: Int, seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .segments(4, of: 6))
        simulation.conditions.lossPerMille = percent * 10
        simulation.breaksPerMille = percent * 10
        simulation.connectAll()
        simulation.everybodyWrites(10, within: .seconds(30), using: &rng)
        simulation.run(for: .seconds(30))
        #expect(simulation.counts.breaks > 50)
        simulation.settle(within: .seconds(20))
    }

    @Test(arguments: [21, 22] as [UInt64])
    func partition(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(20))
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.partition([Array(0..<10), Array(10..<20)])
        simulation.everybodyWrites(10, within: .seconds(55), using: &rng)
        simulation.run(for: .seconds(60))
        #expect(!ConvergenceChecker().holds(in: simulation), "seed \(seed): the halves were not apart")
        simulation.heal()
        simulation.settle(within: .seconds(10))
    }

    @Test func oneWayLinks() {
        let seed: UInt64 = 25
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .ring(20))
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        for node in stride(from: 0, to: 20, by: 4) { simulation.mute(node, towards: node + 1) }
        simulation.everybodyWrites(5, within: .seconds(10), using: &rng)
        simulation.run(for: .seconds(30))
        simulation.settle(within: .seconds(10))
    }

    @Test(arguments: [31, 32] as [UInt64])
    func chainOfSegments(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .segments(6, of: 4))
        simulation.conditions.lossPerMille = 50
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.everybodyWrites(10, within: .seconds(20), using: &rng)
        simulation.run(for: .seconds(20))
        simulation.settle(within: .seconds(5))
    }

    @Test(arguments: [41, 42] as [UInt64])
    func crashes(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(20))
        simulation.connectAll()
        simulation.everybodyWrites(10, within: .seconds(40), using: &rng)
        for _ in 0..<40 {
            let node = Int.random(in: 0..<20, using: &rng)
            let time = Duration.milliseconds(Int64.random(in: 500..<38_000, using: &rng))
            let rest = Duration.milliseconds(Int64.random(in: 20..<5_000, using: &rng))
            simulation.after(time) { simulation.crash(node) }
            simulation.after(time + rest) { simulation.restart(node) }
        }
        simulation.run(for: .seconds(45))
        #expect(simulation.counts.disks.lostEvents > 0, "seed \(seed): no crash took anything")
        simulation.settle(within: .seconds(15))
    }

    @Test func lateJoiner() {
        let seed: UInt64 = 51
        let simulation = Simulation(seed: seed, topology: .mesh(20), members: 19)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        for node in 0..<20 { simulation.write(count: 106, node: node) }
        simulation.run(for: .seconds(20))
        simulation.admit(19, by: 4)
        let before = simulation.counts.wants
        let time = simulation.run(atMost: .seconds(20)) { ConvergenceChecker().holds(in: simulation) }
        #expect(time ?? .seconds(20) < .seconds(5), "seed \(seed): the joiner caught up after \(time as Any)")
        #expect(simulation.counts.wants - before < 100, "seed \(seed): too many round trips")
        simulation.write("hello", node: 19)
        simulation.write("welcome", node: 0)
        simulation.run(for: .seconds(1))
        simulation.settle(within: .seconds(5))
    }

    @Test func tenThousandOfOneAuthorInFewRoundTrips() {
        let seed: UInt64 = 52
        let simulation = Simulation(seed: seed, topology: .chain(3), members: 2)
        simulation.connectAll()
        simulation.write(count: 10_000, node: 1)
        simulation.run(for: .seconds(20))
        let before = simulation.counts.wants
        simulation.admit(2, by: 0)
        simulation.run(for: .milliseconds(300))
        let time = simulation.run(atMost: .seconds(60)) { ConvergenceChecker().holds(in: simulation) }
        #expect(time ?? .seconds(60) < .seconds(10), "seed \(seed): caught up after \(time as Any)")
        #expect(simulation.counts.wants - before < 40, "seed \(seed): \(simulation.counts.wants - before) pulls")
        simulation.settle(within: .seconds(5))
    }

    /// Restored from an old copy while the others live on: what was written since comes back, and then it writes on.
    @Test(arguments: [61, 62] as [UInt64])
    func restoredFromAnOldCopy(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let simulation = Simulation(seed: seed, topology: .mesh(8))
        simulation.connectAll()
        simulation.everybodyWrites(5, within: .seconds(5), using: &rng)
        simulation.run(for: .seconds(6))
        let copy = simulation.nodes[2].store
        simulation.everybodyWrites(5, within: .seconds(5), using: &rng)
        simulation.run(for: .seconds(10))
        let known = simulation.nodes[2].acknowledged.count
        simulation.restore(2, from: copy)
        simulation.write("too early", node: 2)
        #expect(simulation.nodes[2].acknowledged.count == known, "seed \(seed): it wrote before anybody answered")
        let time = simulation.run(atMost: .seconds(30)) { simulation.nodes[2].ownLog == .ready }
        #expect(time != nil, "seed \(seed): it never came back")
        simulation.write("again", node: 2)
        #expect(simulation.nodes[2].acknowledged.count == known + 1)
        simulation.settle(within: .seconds(10))
    }

    /// Nobody is in reach: it waits, however long that takes.
    @Test func aRestoredNodeAloneIsSilent() {
        let seed: UInt64 = 63
        let simulation = Simulation(seed: seed, topology: .mesh(4))
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        let copy = simulation.nodes[2].store
        simulation.write("only in the new store", node: 2)
        simulation.run(for: .seconds(2))
        simulation.partition([[2], [0, 1, 3]])
        simulation.restore(2, from: copy)
        simulation.run(for: .seconds(600))
        #expect(simulation.nodes[2].ownLog == .restored)
        simulation.heal()
        let time = simulation.run(atMost: .seconds(30)) { simulation.nodes[2].ownLog == .ready }
        #expect(time != nil, "seed \(seed): it never came back")
        simulation.write("behind it", node: 2)
        simulation.settle(within: .seconds(10))
    }

    /// One neighbour, who was away when the last of it was written, or says so: the node waits, and another one comes.
    @Test func oneNeighbourThatLacksTheEndMakesNoFork() {
        let seed: UInt64 = 65
        let simulation = Simulation(seed: seed, topology: .mesh(4))
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        let copy = simulation.nodes[2].store
        simulation.partition([[1], [0, 2, 3]])
        for number in 0..<3 { simulation.write("unknown to one \(number)", node: 2) }
        simulation.run(for: .seconds(2))
        let known = simulation.nodes[2].acknowledged.count
        simulation.partition([[0, 3], [1, 2]])
        simulation.restore(2, from: copy)
        simulation.run(for: .seconds(600))
        #expect(simulation.nodes[2].ownLog == .restored, "seed \(seed): it believed a single one")
        simulation.write("too early", node: 2)
        #expect(simulation.nodes[2].acknowledged.count == known)
        simulation.heal()
        let time = simulation.run(atMost: .seconds(30)) { simulation.nodes[2].ownLog == .ready }
        #expect(time != nil, "seed \(seed): it never came back")
        simulation.write("behind it", node: 2)
        simulation.settle(within: .seconds(10))
        #expect(simulation.nodes.allSatisfy { $0.ownLog == .ready }, "seed \(seed): a key was lost")
    }

    /// A disk that was copied whole does not show it. The second log is noticed, and its key writes no more.
    @Test func anUnnoticedCopyForksAndStops() {
        let seed: UInt64 = 64
        let simulation = Simulation(seed: seed, topology: .mesh(4))
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        let copy = simulation.nodes[2].store
        for number in 0..<3 { simulation.write("first branch \(number)", node: 2) }
        simulation.run(for: .seconds(2))
        simulation.restore(2, from: copy, notices: false)
        simulation.write("second branch", node: 2)
        let time = simulation.run(atMost: .seconds(30)) { simulation.nodes[2].ownLog == .forked }
        #expect(time != nil, "seed \(seed): nobody noticed")
        let written = simulation.nodes[2].acknowledged.count
        simulation.write("not any more", node: 2)
        #expect(simulation.nodes[2].acknowledged.count == written)
    }
}
