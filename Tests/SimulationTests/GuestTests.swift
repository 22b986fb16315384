import Testing
import TourModel
import TourSimulator

// Goal: guests lose nothing that they confirmed, no place of their logs gets two events, one host at a time writes for
// each, and receipts name them, however often they walk and their hosts fail.
// Method: swarms whose phones write, walk, vanish and lose answers, while hosts crash, disks fail and networks part.
@Suite struct GuestTests {
    private static func options(_ change: (inout SwarmOptions) -> Void = { _ in }) -> SwarmOptions {
        var options = SwarmOptions()
        options.nodes = 6
        options.messages = 4
        options.seconds = 20
        options.guests = 5
        change(&options)
        return options
    }

    private static func play(_ seed: UInt64, _ options: SwarmOptions) {
        let result = Swarm(seed: seed, options: options).play()
        #expect(result.failure == nil, "seed \(seed): \(result.failure as Any); --with \(options.text)")
        #expect(result.events > 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func guestsWalkAndLoseAnswers(seed: UInt64) {
        Self.play(seed, Self.options())
    }

    @Test(arguments: [4, 5, 6] as [UInt64]) func hostsCrash(seed: UInt64) {
        Self.play(seed, Self.options { $0.crashes = 15 })
    }

    @Test(arguments: [7, 8, 9] as [UInt64]) func hostsAreApart(seed: UInt64) {
        Self.play(
            seed,
            Self.options {
                $0.topology = .chain
                $0.partitions = 3
                $0.breaks = 100
                $0.loss = 100
            })
    }

    @Test(arguments: [10, 11, 12, 48] as [UInt64]) func disksFailAndClocksStep(seed: UInt64) {
        Self.play(
            seed,
            Self.options {
                $0.disks = 6
                $0.crashes = 6
                $0.steps = 8
                $0.unset = 2
            })
    }

    /// On drawn networks, with silent members in the way, a host misses rows that the one before it signed by a clock
    /// that is far ahead of its own.
    @Test(arguments: [107, 172, 225, 283, 299] as [UInt64]) func hostsMissRows(seed: UInt64) throws {
        var options = SwarmOptions.drawn(seed: seed, nodesMax: 50)
        try options.set("nodes=6,messages=4,seconds=20,guests=5,disks=6,crashes=6,steps=8,unset=2")
        Self.play(seed, options)
    }

    @Test func sameSeedSameTrace() {
        let options = Self.options { $0.crashes = 4 }
        let traces = [13, 13, 14].map { (seed: UInt64) in Swarm(seed: seed, options: options).play().trace }
        #expect(traces[0] == traces[1])
        #expect(traces[0] != traces[2])
    }
}
