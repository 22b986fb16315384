import Testing
import TourGossip
import TourModel
import TourSimulator

// Goal: who writes on beyond its share fills nobody's disk and holds nobody up.
// Method: fixed seeds, 12 nodes of which one writes without end; the others, who stay within theirs, must come to the
// same, hold no more of it than its share, and ask for nothing any more.
@Suite struct GluttonTests {
    @Test(arguments: [91, 92] as [UInt64])
    func whoWritesOnStandsStill(seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let share = LogShare(sealed: 4_000, control: LogShare.ofTour.control)
        let simulation = Simulation(seed: seed, topology: .mesh(12), share: share)
        let glutton = 5
        simulation.silence(glutton)
        simulation.connectAll()
        simulation.run(for: .seconds(1))
        simulation.overfill(glutton, beyond: 5, pause: .milliseconds(200))
        simulation.everybodyWrites(5, within: .seconds(5), using: &rng)
        simulation.run(for: .seconds(15))
        let wants = simulation.counts.wants
        simulation.run(for: .seconds(60))
        #expect(simulation.counts.wants - wants < 20, "seed \(seed): what is beyond is asked for in a circle")
        simulation.settle(within: .seconds(10))
        let id = simulation.nodes[glutton].id
        let sizes = Set(simulation.honest.map { $0.store.sizes[id]?.sealed ?? 0 })
        #expect(sizes.count == 1 && sizes.allSatisfy { (4_000..<4_000 + 600).contains($0) }, "seed \(seed): \(sizes)")
        #expect(ShareChecker().problems(in: simulation).isEmpty)
        let faults = simulation.honest.reduce(0) { $0 + ($1.faults[.beyondShare] ?? 0) }
        #expect(faults > 0, "seed \(seed): nobody met what is beyond")
    }

    /// The same where the network breaks, nodes die, and honest members fill their shares as well.
    @Test(arguments: [31, 32, 33] as [UInt64])
    func gluttonsInBadWeather(seed: UInt64) throws {
        let weather = "loss=50,breaks=40,partitions=1,crashes=4,segments=1"
        try playWell(seed, SwarmOptions("nodes=10,messages=8,seconds=12,share=2,gluttons=2,\(weather)"))
    }
}
