import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: the same inputs at the same times give the same effects, so that a failure found in the simulator can be
/// played again. Method: everything that was done to the machines of a tour is done once more to machines as they
/// started.
@Suite struct DeterminismTests {
    private static func play(seed: UInt64) throws -> MemoryTour {
        let tour = try MemoryTour(MemoryTour.Setup(members: 5, guides: 2, fullHistory: seed % 2 == 0), seed: seed)
        for (low, high) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 3)] { tour.connect(low, high) }
        for round in 0..<3 {
            for device in 0..<5 { try tour.write(device, text: "round \(round)") }
            tour.advance(by: .seconds(7))
        }
        try tour.admit(try tour.stranger(), by: 0)
        try tour.remove(4, by: 0)
        tour.advance(by: .seconds(20))
        try tour.write(1, text: "without the fifth")
        tour.suspend(for: .seconds(25 * 3_600))
        tour.advance(by: .seconds(30))
        return tour
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func aReplayGivesTheSameEffects(seed: UInt64) throws {
        let tour = try Self.play(seed: seed)
        for device in tour.devices.indices {
            let words = tour.devices[device].effects.map(\.words)
            #expect(words.count > 50)
            #expect(tour.replay(device) == words, "device \(device)")
        }
    }

    @Test func theSameSeedMakesTheSameMembersAndAnotherSeedOthers() throws {
        let tours = try [1, 1, 2].map { try MemoryTour(seed: $0) }
        #expect(tours[0].devices.map(\.id) == tours[1].devices.map(\.id))
        #expect(tours[0].tour == tours[1].tour)
        #expect(tours[0].tour != tours[2].tour)
    }

    @Test func everybodyEndsWithTheSameTour() throws {
        let tour = try Self.play(seed: 7)
        let first = tour.devices[0].machine
        for device in tour.devices[1..<4] {
            #expect(device.machine.group.roster.stateHash == first.group.roster.stateHash)
            #expect(device.machine.group.currentEpoch?.id == first.group.currentEpoch?.id)
            #expect(device.machine.gossip.stored.heads == first.gossip.stored.heads)
        }
        #expect(tour.devices[4].machine.isOut)
    }
}
