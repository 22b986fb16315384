import Testing
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: our own log never holds two events for one place that anybody could have seen, whatever becomes of a commit;
/// and it keeps room for governing the tour. Method: events are composed, and the test lets their commits end in every
/// order; a second device holds events of ours that we do not.
@Suite struct OwnLogTests {
    private static func sequences(_ messages: [LinkMessage]) -> [UInt64] {
        messages.flatMap { message -> [UInt64] in
            if case .run(let run) = message { Array(run.first...run.last) } else { [] }
        }
    }

    @Test func afterAFailedCommitNothingIsComposedUntilTheOthersEnd() throws {
        let tour = try MemoryTour()
        let link = tour.link(0, toward: 1)
        let said = TaggedHead(prefix: tour.devices[0].id.prefix, sequence: 4, tag: 1)
        tour.feed(0, .have(Have(heads: [said])), on: link)
        let kept = try tour.write(0, text: "kept")
        let first = try #require(try tour.draft(0, text: "first"))
        let second = try #require(try tour.draft(0, text: "second"))
        #expect(second.events[0].header.previous == first.events[0].id)
        tour.finish(first, 0, isStored: false)
        #expect(throws: WriteRefusal.busy) { _ = try tour.draft(0, text: "between") }
        #expect(tour.devices[0].machine.isWriting)
        tour.finish(second, 0, isStored: false)
        #expect(!tour.devices[0].machine.isWriting)
        #expect(tour.devices[0].machine.durableTail == Author.Tail(sequence: kept.header.sequence, id: kept.id))
        let next = try tour.write(0, text: "next")
        #expect(next.header.sequence == kept.header.sequence + 1)
        #expect(next.header.previous == kept.id)
        #expect(next.header.clock > second.events[0].header.clock, "clocks of one log only grow")
        #expect(Self.sequences(tour.sent(0, on: link)) == [kept.header.sequence, next.header.sequence])
    }

    /// The one before it is on the disk, and may be with others: the log continues behind that.
    @Test func aCommitThatFailsBehindOneThatEndedWellCostsOnlyItself() throws {
        let tour = try MemoryTour()
        let first = try #require(try tour.draft(0, text: "first"))
        let second = try #require(try tour.draft(0, text: "second"))
        let third = try #require(try tour.draft(0, text: "third"))
        tour.finish(first, 0)
        tour.finish(second, 0, isStored: false)
        #expect(throws: WriteRefusal.busy) { _ = try tour.draft(0, text: "between") }
        tour.finish(third, 0, isStored: false)
        let next = try tour.write(0, text: "next")
        #expect(next.header.previous == first.events[0].id)
        #expect(next.header.sequence == first.events[0].header.sequence + 1)
    }

    @Test func whatFailedTakesNoneOfTheShare() throws {
        let tour = try MemoryTour()
        let before = tour.devices[0].machine.ownSize
        let own = try #require(try tour.draft(0, text: "first"))
        #expect(tour.devices[0].machine.ownSize.sealed == before.sealed + own.events[0].bytes.count)
        tour.finish(own, 0, isStored: false)
        #expect(tour.devices[0].machine.ownSize == before)
    }

    @Test func aFullShareRefusesContentAndOrdinaryControlEventsAndFitsGoverningOnes() throws {
        let full = LogSize(sealed: LogShare.ordinary.sealed, control: LogShare.ordinary.control)
        let tour = try MemoryTour(MemoryTour.Setup(ownSize: full))
        let tail = tour.devices[0].machine.durableTail
        #expect(throws: WriteRefusal.shareFull(isControl: false)) { _ = try tour.draft(0, text: "one more") }
        #expect(throws: WriteRefusal.shareFull(isControl: true)) {
            _ = try tour.compose(0) { [$0.write(.leave, wallMilliseconds: $1)] }
        }
        let machine = tour.devices[0].machine
        #expect(!machine.hasRoom(for: .chat) && !machine.hasRoom(for: .control))
        #expect(machine.hasRoom(for: .control, governs: true))
        let removal = try tour.remove(2, by: 0)
        #expect(removal.header.previous == tail.id, "a refused event takes no place")
        #expect(removal.header.sequence == tail.sequence + 1)
        #expect(tour.devices[0].machine.group.roster.members[tour.devices[2].id]?.isRemoved == true)
    }

    /// Two commits at once must not both take the last place of the share.
    @Test func whatIsBeingStoredCountsAsPartOfTheShare() throws {
        let almost = LogSize(sealed: LogShare.ordinary.sealed - 1, control: 0)
        let tour = try MemoryTour(MemoryTour.Setup(ownSize: almost))
        let last = try #require(try tour.draft(0, text: "the last"))
        #expect(throws: WriteRefusal.shareFull(isControl: false)) { _ = try tour.draft(0, text: "one more") }
        tour.finish(last, 0, isStored: false)
        #expect(tour.devices[0].machine.hasRoom(for: .chat))
    }

    @Test func nothingIsWrittenWhileOurLogMayBeOld() throws {
        let setup = MemoryTour.Setup(members: 2, restored: (0, .restored))
        let tour = try MemoryTour(setup)
        #expect(throws: WriteRefusal.ownLog(.restored)) { _ = try tour.draft(0, text: "too early") }
    }

    @Test func afterARestoreOurLogContinuesBehindWhatAPeerSendsBack() throws {
        let setup = MemoryTour.Setup(members: 2, restored: (0, .restored))
        let tour = try MemoryTour(setup)
        let theirs = try #require(tour.devices[1].logs[tour.devices[0].id]?.last)
        tour.connect(0, 1)
        tour.advance(by: .seconds(20))
        #expect(tour.devices[0].machine.gossip.ownLogState == .ready)
        #expect(tour.count("saveOwnLog", 0) == 1)
        let next = try tour.write(0, text: "back again")
        #expect(next.header.previous == theirs.id)
        #expect(next.header.sequence == theirs.header.sequence + 1)
        tour.advance(by: .seconds(5))
        #expect(tour.devices[1].logs[tour.devices[0].id]?.last?.id == next.id, "the peer sees one log")
    }

    /// The user may say that nothing was written since a backup, and be wrong.
    @Test func anEventOfOursThatComesBackDuringACommitGoesFirst() throws {
        let tour = try MemoryTour()
        let earlier = try tour.texts(1, of: 1)
        let link = tour.link(1, toward: 0)
        let own = try #require(try tour.draft(1, text: "at the same time"))
        tour.feed(1, .run(Run(earlier, hops: 0, pushed: true)), on: link)
        #expect(throws: WriteRefusal.busy) { _ = try tour.draft(1, text: "between") }
        tour.finish(own, 1, isStored: false)
        let next = try tour.write(1, text: "afterwards")
        #expect(next.header.previous == earlier[0].id)
        #expect(next.header.sequence == 2)
        #expect(next.header.clock > earlier[0].header.clock)
    }
}
