import Testing
import TourModel
import TourSimulator

// Goal: guests lose nothing that they confirmed, no place of their logs gets two events, one host at a time writes for
// each, and receipts name them, however often they walk and their hosts fail.
// Method: swarms whose phones write, walk, vanish and lose answers, while hosts crash, disks fail and networks part.
@Suite struct GuestTests {
    /// - Parameter faults: beside the walks of the guests, as `--with` takes them.
    private static func options(_ faults: String = "") throws -> SwarmOptions {
        try SwarmOptions("nodes=6,messages=4,seconds=20,guests=5,\(faults)")
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func guestsWalkAndLoseAnswers(seed: UInt64) throws {
        #expect(try playWell(seed, Self.options()).events > 0)
    }

    @Test(arguments: [4, 5, 6] as [UInt64]) func hostsCrash(seed: UInt64) throws {
        #expect(try playWell(seed, Self.options("crashes=15")).events > 0)
    }

    @Test(arguments: [7, 8, 9] as [UInt64]) func hostsAreApart(seed: UInt64) throws {
        #expect(try playWell(seed, Self.options("topology=chain,partitions=3,breaks=100,loss=100")).events > 0)
    }

    @Test(arguments: [10, 11, 12, 48] as [UInt64]) func disksFailAndClocksStep(seed: UInt64) throws {
        #expect(try playWell(seed, Self.options("disks=6,crashes=6,steps=8,unset=2")).events > 0)
    }

    /// On drawn networks, with silent members in the way, a host misses rows that the one before it signed by a clock
    /// that is far ahead of its own.
    @Test(arguments: [107, 172, 225, 283, 299] as [UInt64]) func hostsMissRows(seed: UInt64) throws {
        var options = SwarmOptions.drawn(seed: seed, nodesMax: 50)
        try options.set("nodes=6,messages=4,seconds=20,guests=5,disks=6,crashes=6,steps=8,unset=2")
        #expect(playWell(seed, options).events > 0)
    }

    @Test func sameSeedSameTrace() throws {
        let options = try Self.options("crashes=4")
        let traces = [13, 13, 14].map { (seed: UInt64) in Swarm(seed: seed, options: options).play().trace }
        #expect(traces[0] == traces[1])
        #expect(traces[0] != traces[2])
    }
}
