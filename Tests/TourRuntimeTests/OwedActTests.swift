import Testing
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: what our key or our removals oblige us to write is written once, and again only if it is still owed. Method: a
/// tour in memory; the test is the shell that publishes wrapping keys and makes codes.
@Suite struct OwedActTests {
    private static let day: Duration = .seconds(25 * 3_600)

    @Test func aWrappingKeyOfADayIsPublishedWithinItsTime() throws {
        let tour = try MemoryTour()
        let first = tour.devices[1].machine.wrapping.newest.publicKey
        tour.advance(by: .seconds(60))
        #expect(tour.count("publishWrappingKey", 1) == 0)
        tour.suspend(for: Self.day)
        tour.advance(by: .seconds(10))
        #expect(tour.count("publishWrappingKey", 1) == 1, "three seconds for each member")
        let machine = tour.devices[1].machine
        #expect(machine.wrapping.newest.publicKey != first)
        #expect(machine.group.keyring.holders.newestKey(of: machine.own)?.key == machine.wrapping.newest.publicKey)
        tour.advance(by: .seconds(60))
        #expect(tour.count("publishWrappingKey", 1) == 1)
    }

    @Test func aWrappingKeyIsNotPublishedTwiceAtOnceAndIsTriedAgain() throws {
        let tour = try MemoryTour()
        tour.hold("publishWrappingKey")
        tour.suspend(for: Self.day)
        tour.advance(by: .seconds(60))
        #expect(tour.count("publishWrappingKey", 1) == 1, "while it is being written")
        tour.feed(1, .publishedKey)
        tour.advance(by: .seconds(25))
        #expect(tour.count("publishWrappingKey", 1) == 2, "it was not: it is still due")
    }

    /// The key is on the disk, and the event that publishes it is not.
    @Test func aKeyThatWasMadeAndNotPublishedIsPublishedWithoutANewOne() throws {
        let tour = try MemoryTour()
        tour.hold("publishWrappingKey")
        tour.suspend(for: Self.day)
        let (time, fresh) = (tour.reading(1), try tour.stranger().wrapping)
        let key = tour.call(1) { $0.prepareWrappingKey(at: time) { fresh } }
        tour.feed(1, .publishedKey)
        tour.release("publishWrappingKey")
        tour.advance(by: .seconds(30))
        let group = tour.devices[1].machine.group
        #expect(group.keyring.holders.newestKey(of: tour.devices[1].id)?.key == key)
        #expect(key == fresh.publicKey)
    }

    @Test func aFullShareLeavesAWrappingKeyUnpublished() throws {
        let full = LogSize(control: LogShare.ordinary.control)
        let tour = try MemoryTour(MemoryTour.Setup(ownSize: full))
        tour.suspend(for: Self.day)
        tour.advance(by: .seconds(60))
        #expect(tour.count("publishWrappingKey", 0) == 0)
    }

    // MARK: - Codes

    @Test func aCodeThatARemovalEndedIsReplacedOnce() throws {
        let tour = try MemoryTour()
        tour.hold("rekey")
        try tour.remove(2, by: 0)
        #expect(tour.count("makeInvite", 0) == 0, "there is no key that the removed member lacks")
        tour.rekey(0)
        #expect(tour.count("makeInvite", 0) == 1)
        #expect(!tour.devices[0].machine.group.owesInvite(tour.devices[0].id))
        tour.advance(by: .seconds(60))
        #expect(tour.count("makeInvite", 0) == 1)
    }

    @Test func aCodeThatIsStillOwedIsAskedForAgainOnceTheLastTryHasEnded() throws {
        let tour = try MemoryTour()
        tour.hold("makeInvite")
        try tour.remove(2, by: 0)
        #expect(tour.count("makeInvite", 0) == 1)
        try tour.admit(try tour.stranger(), by: 0)
        tour.advance(by: .seconds(30))
        #expect(tour.count("makeInvite", 0) == 1, "while it is being made")
        tour.feed(0, .madeInvite)
        tour.advance(by: .seconds(11))
        #expect(tour.count("makeInvite", 0) == 2)
        tour.makeInvite(0)
        tour.advance(by: .seconds(30))
        #expect(tour.count("makeInvite", 0) == 2)
    }

    @Test func noneIsMadeBesideOneThatTheUserMakes() throws {
        let tour = try MemoryTour()
        tour.call(0) { $0.beginInvite() }
        try tour.remove(2, by: 0)
        tour.advance(by: .seconds(30))
        #expect(tour.count("makeInvite", 0) == 0)
        tour.makeInvite(0)
        tour.advance(by: .seconds(30))
        #expect(tour.count("makeInvite", 0) == 0)
    }

    @Test func onlyTheMemberThatRemovedOwesACode() throws {
        let tour = try MemoryTour(MemoryTour.Setup(members: 4, guides: 1))
        tour.connect(0, 1)
        try tour.remove(3, by: 0)
        tour.advance(by: .seconds(60))
        #expect(tour.count("makeInvite", 1) == 0)
    }
}
