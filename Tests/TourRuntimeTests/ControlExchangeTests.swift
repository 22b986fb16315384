import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// Goal: everybody who may learn of the tour's control events learns of them soon, ahead of the logs, and nobody else
/// does. Method: the test plays the peers of one machine, members and others, and reads what each is sent and owed.
@Suite struct ControlExchangeTests {
    private let tour: MemoryTour

    init() throws { tour = try MemoryTour(MemoryTour.Setup(members: 4)) }

    /// The control events that device 0 holds, without the genesis.
    private var controls: [[UInt8]] { tour.devices[0].machine.group.controls(missingFrom: []) }

    /// An admission that device 0 wrote and that no other device knows.
    private func admission() throws -> Event { try tour.admit(try tour.stranger(), by: 0) }

    // MARK: - Indexes

    @Test func aMembersIndexIsAnsweredWithWhatItLacks() throws {
        let link = tour.link(0, toward: 1)
        let known = tour.devices[0].machine.group.controlIndex
        #expect(tour.sent(0, on: link).first == .controlIndex(known), "the question goes first")
        let event = try admission()
        let effects = tour.feed(0, .controlIndex(known), on: link)
        #expect(effects.owing == [link])
        tour.connect(0, 2)
        #expect(tour.devices[2].machine.group.roster == tour.devices[0].machine.group.roster)
        #expect(tour.devices[2].machine.group.control(event.id) == event.bytes)
    }

    @Test func anIndexIsAnsweredOnceASecond() throws {
        tour.hold("sendOwed")
        let link = tour.link(0, toward: 1)
        func answers() -> [[UInt8]] {
            var messages = [LinkMessage]()
            while let next = tour.call(0, { $0.nextOwed(on: link, queuedBytes: 0) }) { messages.append(next) }
            return messages.controls
        }
        tour.feed(0, .controlIndex([]), on: link)
        #expect(answers() == controls)
        tour.feed(0, .controlIndex([]), on: link)
        #expect(answers().isEmpty)
        tour.advance(by: .seconds(1))
        tour.feed(0, .controlIndex([]), on: link)
        #expect(answers() == controls)
    }

    /// A peer under new keys that came by an epoch which a removed member knows may be that member.
    @Test func theIndexOfAPeerThatMayBeAnybodyIsHeldBackUntilTheRosterNamesIt() throws {
        tour.hold("sendOwed")
        let keys = try tour.stranger()
        let link = tour.link(0, toward: keys, as: tour.peer(of: keys, as: .restricted(keys.memberID)))
        #expect(tour.sent(0, on: link) == [.controlIndex([])], "we ask for all that it has and name nothing")
        let effects = tour.feed(0, .controlIndex([]), on: link)
        #expect(effects.names == ["recognised"])
        #expect(tour.call(0) { $0.nextOwed(on: link, queuedBytes: 0) } == nil)
        #expect(!tour.devices[0].machine.isMember(on: link))
        try tour.admit(keys, by: 0)
        #expect(tour.devices[0].effects.owing == [link])
        #expect(tour.count("recognise", 0) == 1)
        #expect(tour.count("began", 0) == 1, "replication begins")
        let answer = try #require(tour.call(0) { $0.nextOwed(on: link, queuedBytes: 0) })
        #expect([answer].controls == controls)
        #expect(tour.devices[0].machine.isMember(on: link))
    }

    @Test func aPeerThatCameByASafeEpochIsToldEverythingBeforeTheRosterNamesIt() throws {
        tour.hold("sendOwed")
        let keys = try tour.stranger()
        let epoch = try #require(tour.devices[0].machine.group.currentEpoch?.id)
        let peer = tour.peer(of: keys, as: .restricted(keys.memberID), epoch: epoch)
        let link = tour.link(0, toward: keys, as: peer)
        #expect(tour.sent(0, on: link) == [.controlIndex(tour.devices[0].machine.group.controlIndex)])
        tour.feed(0, .controlIndex([]), on: link)
        let answer = try #require(tour.call(0) { $0.nextOwed(on: link, queuedBytes: 0) })
        #expect([answer].controls == controls)
    }

    @Test func joinersAndFormerMembersGetNothingHere() throws {
        let keys = try tour.stranger()
        let link = tour.link(0, toward: keys, as: tour.peer(of: keys, as: .former(keys.memberID)))
        tour.feed(0, .controlIndex([]), on: link)
        #expect(tour.sent(0, on: link).isEmpty)
        #expect(tour.devices[0].effects.isEmpty)
    }

    // MARK: - Ends

    @Test func aRemovedMemberGetsTheEventsThatSaySoAndItsLinkIsClosed() throws {
        tour.hold("rekey")
        let (link, other) = (tour.link(0, toward: 3), tour.link(0, toward: 1))
        let before = tour.devices[0].effects.count
        let removal = try tour.remove(3, by: 0)
        let effects = Array(tour.devices[0].effects[before...])
        #expect(effects.sent(on: link).controls.contains(removal.bytes))
        #expect(effects.closed == [link: .removed])
        let sent = try #require(effects.firstIndex { if case .send(link, .control) = $0 { true } else { false } })
        let closed = try #require(effects.firstIndex { $0.name == "close" })
        #expect(sent < closed)
        #expect(!effects.sent(on: other).controls.contains(removal.bytes), "others get it with our log")
    }

    @Test func ourOwnRemovalClosesAllLinks() throws {
        let links = [0, 1, 2].map { tour.link(3, toward: $0) }
        let removal = try tour.remove(3, by: 0)
        let effects = tour.feed(3, .control([removal.bytes]), on: links[0])
        #expect(effects.closed == Dictionary(uniqueKeysWithValues: links.map { ($0, .closing) }))
        #expect(tour.devices[3].machine.isOut)
        #expect(!tour.devices[3].machine.isActive)
        #expect(!tour.devices[3].machine.isMember)
    }

    // MARK: - News

    @Test func newsGoesToEveryLinkButTheOneItCameFrom() throws {
        tour.hold("sendOwed")
        let event = try admission()
        let links = [0, 2, 3].map { tour.link(1, toward: $0) }
        let effects = tour.feed(1, .control([event.bytes]), on: links[0])
        #expect(effects.owing == Set(links[1...]))
        #expect(effects.count("keepControls") == 1)
        let owed = links.map { link in tour.call(1) { $0.nextOwed(on: link, queuedBytes: 0) } }
        #expect(owed == [nil, .control([event.bytes]), .control([event.bytes])])
        let again = tour.feed(1, .control([event.bytes]), on: links[1])
        #expect(again.owing.isEmpty)
        #expect(again.count("keepControls") == 0, "once")
    }

    @Test func newsComesInPartsAndNotIntoAFullQueue() throws {
        tour.hold("sendOwed")
        let events = try (0..<120).map { _ in try admission().bytes }
        let (from, link) = (tour.link(1, toward: 0), tour.link(1, toward: 2))
        let effects = tour.feed(1, .control(events), on: from)
        #expect(effects.owing == [link])
        #expect(tour.call(1) { $0.nextOwed(on: link, queuedBytes: Limits.linkQueueBytesMax) } == nil)
        #expect(tour.devices[1].machine.owesMore(on: link))
        var parts = [[[UInt8]]]()
        while case .control(let part)? = tour.call(1, { $0.nextOwed(on: link, queuedBytes: 0) }) { parts.append(part) }
        #expect(parts.count > 1)
        #expect(Set(parts.joined()) == Set(events))
        #expect(parts.joined().count == events.count)
        #expect(parts.allSatisfy { $0.reduce(0) { $0 + $1.count } <= Limits.linkMessageBytesMax })
        #expect(!tour.devices[1].machine.owesMore(on: link))
    }

    /// A peer that learns of it accepts nothing more from us: it would lose what we wrote before.
    @Test func aLeaveOfOursIsNotSentAheadOfOurLog() throws {
        tour.hold("sendOwed")
        let link = tour.link(1, toward: 2)
        let known = tour.devices[1].machine.group.controlIndex
        let leave = try #require(tour.write(1, .leave))
        #expect(tour.devices[1].machine.hasLeft)
        tour.feed(1, .controlIndex(known), on: link)
        #expect(tour.call(1) { $0.nextOwed(on: link, queuedBytes: 0) } == nil)
        let other = tour.link(0, toward: 2)
        tour.feed(0, .control([leave.bytes]), on: tour.link(0, toward: 3))
        #expect(tour.call(0) { $0.nextOwed(on: other, queuedBytes: 0) } == .control([leave.bytes]), "another's is news")
    }

    @Test func everybodyLearnsOfANewcomerThroughOthers() throws {
        for high in 1..<4 { tour.connect(high - 1, high) }
        let newcomer = try tour.stranger()
        try tour.admit(newcomer, by: 0)
        tour.advance(by: .seconds(5))
        #expect(tour.devices.allSatisfy { $0.machine.group.roster.members[newcomer.memberID]?.isActive == true })
    }
}
