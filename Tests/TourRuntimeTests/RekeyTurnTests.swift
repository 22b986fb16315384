import Testing
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: whoever is removed is soon shut out, by one epoch and not by one of every leader; and nobody makes epochs
/// without need. Method: a tour in memory with a second leader; the test holds or lets go what machines ask for.
@Suite struct RekeyTurnTests {
    private static let guided = MemoryTour.Setup(members: 4, guides: 1)

    private static func heads(_ tour: MemoryTour, _ device: Int) -> [EpochID] {
        tour.devices[device].machine.group.keyring.graph.heads
    }

    @Test func ourOwnRemovalRekeysAtOnce() throws {
        let tour = try MemoryTour(Self.guided)
        tour.hold("rekey")
        try tour.remove(3, by: 0)
        #expect(tour.count("rekey", 0) == 1)
        #expect(tour.devices[0].machine.isRekeying)
        tour.advance(by: .seconds(30))
        #expect(tour.count("rekey", 0) == 1, "one at a time")
    }

    @Test func anothersRemovalWaitsForOurTurn() throws {
        let tour = try MemoryTour(Self.guided)
        tour.hold("rekey")
        tour.connect(0, 1)
        try tour.remove(3, by: 0)
        #expect(tour.devices[1].machine.group.roster.members[tour.devices[3].id]?.isRemoved == true)
        #expect(tour.count("rekey", 1) == 0)
        tour.advance(by: .seconds(4))
        #expect(tour.count("rekey", 1) == 1, "the other leader says nothing")
    }

    @Test func aTurnEndsWhenAnothersRekeyComesFirst() throws {
        let tour = try MemoryTour(Self.guided)
        tour.connect(0, 1)
        try tour.remove(3, by: 0)
        tour.advance(by: .seconds(60))
        #expect(tour.count("rekey", 0) == 1)
        #expect(tour.count("rekey", 1) == 0)
        #expect(Self.heads(tour, 0).count == 1)
        #expect(Self.heads(tour, 0) == Self.heads(tour, 1))
        #expect(tour.devices[1].machine.group.currentEpoch?.id == Self.heads(tour, 1).first, "and we hold its key")
    }

    @Test func aMemberWithoutRankNeverRekeys() throws {
        let tour = try MemoryTour(Self.guided)
        tour.hold("rekey")
        tour.connect(0, 2)
        try tour.remove(3, by: 0)
        tour.advance(by: .seconds(60))
        #expect(tour.count("rekey", 2) == 0)
    }

    @Test func nothingIsDoneAboutEpochsOnceKeysAreWiped() throws {
        let tour = try MemoryTour(Self.guided)
        tour.hold("rekey")
        tour.connect(0, 1)
        let fresh = try tour.stranger().wrapping
        let time = tour.reading(1)
        tour.call(1) { $0.wipeKeys(fresh: fresh, at: time) }
        #expect(tour.devices[1].machine.hasWipedKeys)
        try tour.remove(3, by: 0)
        tour.release("rekey")
        tour.rekey(0)
        tour.advance(by: .seconds(60))
        #expect(tour.devices[1].machine.group.keyring.graph.heads == Self.heads(tour, 0), "the events are here")
        for name in ["rekey", "publishWrappingKey", "makeInvite", "keysLearnt", "saveKeys"] {
            #expect(tour.count(name, 1) == 0, "\(name)")
        }
        #expect(tour.devices[1].effects.allSatisfy { if case .send(_, .epochAsk) = $0 { false } else { true } })
        #expect(tour.devices[1].machine.hasWipedKeys, "wraps give none back")
    }

    @Test func aRekeyThatCouldNotBeWrittenIsTriedAgain() throws {
        let tour = try MemoryTour(Self.guided)
        tour.hold("rekey")
        try tour.remove(3, by: 0)
        tour.feed(0, .rekeyed(isWritten: false))
        #expect(!tour.devices[0].machine.isRekeying)
        #expect(tour.count("rekey", 0) == 1, "not in a loop")
        tour.advance(by: .seconds(15))
        #expect(tour.count("rekey", 0) == 2)
        tour.rekey(0)
        tour.advance(by: .seconds(60))
        #expect(tour.count("rekey", 0) == 2)
    }

    @Test func aRemovalDuringOurRekeyIsFollowedByAnotherAtOnce() throws {
        let tour = try MemoryTour(Self.guided)
        tour.hold("rekey")
        try tour.remove(3, by: 0)
        let (key, time) = (SecretBytes(tour.rng.bytes(EpochKey.keyBytes)), tour.reading(0))
        let body = try #require(tour.call(0) { try? $0.rekeyBody(key: key, at: time) })
        try tour.remove(2, by: 0)
        #expect(tour.count("rekey", 0) == 1)
        try #require(tour.write(0, body.body, governs: true) != nil)
        tour.feed(0, .rekeyed(isWritten: true))
        #expect(tour.count("rekey", 0) == 2)
    }

    @Test func severalRemovalsWithOneEndedCodeMakeOneEpoch() throws {
        let tour = try MemoryTour(MemoryTour.Setup(members: 5))
        let now = tour.now
        tour.call(0) { $0.beginRemovals(hasMembers: true, now: now) }
        for target in 2...4 { try tour.remove(target, by: 0) }
        tour.advance(by: .seconds(12))
        #expect(tour.count("rekey", 0) == 0, "not while people are being removed")
        tour.feed(0, .removalsEnded)
        #expect(tour.count("rekey", 0) == 1)
        tour.advance(by: .seconds(60))
        #expect(tour.count("rekey", 0) == 1)
        let epoch = try #require(tour.devices[0].machine.group.currentEpoch)
        let graph = tour.devices[0].machine.group.keyring.graph
        #expect((2...4).allSatisfy { graph.epochs[epoch.id]?.excludes(tour.devices[$0].id) == true })
    }

    // MARK: - Newcomers

    private static func ask(_ tour: MemoryTour, for keys: MemberKeys) -> NewcomerEpoch {
        let time = tour.reading(0)
        return tour.call(0) { $0.beginEpoch(for: keys.memberID, at: time) }
    }

    @Test func withFullHistoryANewcomerGetsNoEpoch() throws {
        let tour = try MemoryTour()
        #expect(Self.ask(tour, for: try tour.stranger()) == .none)
    }

    @Test func withoutFullHistoryANewcomersEpochBeginsAndWaitsForOnesInProgress() throws {
        let tour = try MemoryTour(MemoryTour.Setup(fullHistory: false))
        let (first, second) = (try tour.stranger(), try tour.stranger())
        try tour.admit(first, by: 0)
        try tour.admit(second, by: 0)
        #expect(Self.ask(tour, for: first) == .begins)
        #expect(Self.ask(tour, for: second) == .later)
        tour.rekey(0)
        #expect(Self.ask(tour, for: second) == .none, "the epoch was begun for both")
        #expect(tour.count("rekey", 0) == 0, "the caller writes these")
    }

    @Test func aMemberWithoutRankBeginsNoEpoch() throws {
        let tour = try MemoryTour(MemoryTour.Setup(fullHistory: false))
        let newcomer = try tour.stranger()
        try tour.admit(newcomer, by: 1)
        let time = tour.reading(1)
        let verdict = tour.call(1) { $0.beginEpoch(for: newcomer.memberID, at: time) }
        #expect(verdict == .none)
    }

    @Test func inACrowdNewcomersEpochsArePausesApart() throws {
        let tour = try MemoryTour(MemoryTour.Setup(fullHistory: false))
        var verdicts = [NewcomerEpoch]()
        for _ in 0..<6 {
            let newcomer = try tour.stranger()
            try tour.admit(newcomer, by: 0)
            let verdict = Self.ask(tour, for: newcomer)
            verdicts.append(verdict)
            if verdict == .begins { tour.rekey(0) }
            tour.advance(by: .seconds(1))
        }
        // The first epoch of the tour counts among the six that may begin within a minute.
        #expect(verdicts == [.begins, .begins, .begins, .begins, .begins, .later])
        let last = try tour.stranger()
        try tour.admit(last, by: 0)
        tour.advance(by: .seconds(10))
        #expect(Self.ask(tour, for: last) == .begins)
    }
}
