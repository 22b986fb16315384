import Testing
import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// Goal: a member that lacks an epoch's key gets it from whoever has it, and nobody is kept busy by asking. Method:
/// with full history a member of whose log nothing is known is named in no rekey, and must ask; the test plays its
/// peers.
@Suite struct KeyAskTests {
    /// A tour of which member 1 lacks the newest key; it has links to 0 and 2.
    private struct Lack {
        let tour: MemoryTour
        let links: [LinkID]
        let epoch: EpochID
        let rekey: [UInt8]

        init() throws {
            tour = try MemoryTour()
            tour.rekey(0)
            epoch = try #require(tour.devices[0].machine.group.currentEpoch?.id)
            rekey = try #require(tour.devices[0].logs[tour.devices[0].id]?.last?.bytes)
            let tour = tour
            links = [0, 2].map { tour.link(1, toward: $0) }
        }

        var secret: EpochSecret {
            get throws { try #require(tour.devices[0].machine.group.currentEpoch.flatMap { EpochSecret($0) }) }
        }
    }

    @Test func eachLinkIsAskedOnceUntilTheReview() throws {
        let lack = try Lack()
        let tour = lack.tour
        tour.feed(1, .control([lack.rekey]), on: lack.links[0])
        #expect(lack.links.map { tour.sent(1, on: $0).asked } == [[[lack.epoch]], [[lack.epoch]]])
        try tour.admit(try tour.stranger(), by: 1)
        tour.advance(by: .seconds(9))
        #expect(lack.links.map { tour.sent(1, on: $0).asked.count } == [1, 1], "the same question")
        tour.advance(by: .seconds(9))
        #expect(lack.links.map { tour.sent(1, on: $0).asked.count } == [2, 2])
        let late = tour.link(1, toward: 0)
        #expect(tour.sent(1, on: late).asked == [[lack.epoch]], "a new link is asked at once")
    }

    @Test func aKeyCountsOnlyOnTheLinkThatWasAskedForIt() throws {
        let lack = try Lack()
        let tour = lack.tour
        let secret = try lack.secret
        tour.feed(1, .epochKeys([secret]), on: lack.links[0])
        tour.feed(1, .control([lack.rekey]), on: lack.links[0])
        #expect(tour.devices[1].machine.group.keyring.isHeld(lack.epoch) == false, "nobody had asked yet")
        let stranger = tour.peer(of: try tour.stranger(), as: .restricted(try tour.stranger().memberID))
        let other = tour.link(1, toward: try tour.stranger(), as: stranger)
        tour.feed(1, .epochKeys([secret]), on: other)
        #expect(tour.count("keysLearnt", 1) == 0)
        let effects = tour.feed(1, .epochKeys([secret]), on: lack.links[1])
        #expect(effects.names.prefix(2) == ["saveKeys", "keysLearnt"], "kept before anything depends on it")
        #expect(tour.devices[1].machine.group.currentEpoch?.id == lack.epoch)
        tour.advance(by: .seconds(30))
        #expect(lack.links.map { tour.sent(1, on: $0).asked.count } == [1, 1], "nothing is missing any more")
    }

    @Test func questionsAreAnsweredAtALimitedRateOnEachLink() throws {
        let lack = try Lack()
        let tour = lack.tour
        let links = [1, 2].map { tour.link(0, toward: $0) }
        func answers(_ link: LinkID) -> Int {
            tour.sent(0, on: link).count { if case .epochKeys = $0 { true } else { false } }
        }
        for _ in 0..<20 { tour.feed(0, .epochAsk([lack.epoch]), on: links[0]) }
        #expect(answers(links[0]) == 8)
        tour.feed(0, .epochAsk([lack.epoch]), on: links[1])
        #expect(answers(links[1]) == 1, "one link uses up nothing of another's")
        tour.advance(by: .seconds(8))
        tour.feed(0, .epochAsk([lack.epoch]), on: links[0])
        #expect(answers(links[0]) == 9)
    }

    @Test func onlyMembersAreAnswered() throws {
        let lack = try Lack()
        let tour = lack.tour
        let keys = try tour.stranger()
        let peer = tour.peer(of: keys, as: .restricted(keys.memberID), epoch: lack.epoch)
        let link = tour.link(0, toward: keys, as: peer)
        tour.feed(0, .epochAsk([lack.epoch]), on: link)
        #expect(tour.sent(0, on: link).allSatisfy { if case .epochKeys = $0 { false } else { true } })
        try tour.admit(keys, by: 0)
        let effects = tour.feed(0, .epochAsk([lack.epoch]), on: link)
        let answer = LinkMessage.epochKeys([try lack.secret])
        #expect(effects.sent(on: link).contains(answer), "the same link, once it is a member's")
    }

    @Test func eventsBeforeTheirKeyAreShownOnceItIsThere() throws {
        let lack = try Lack()
        let tour = lack.tour
        let event = try tour.write(0, text: "sealed under the new key")
        let log = try #require(tour.devices[0].logs[tour.devices[0].id])
        tour.feed(1, .run(Run(Array(log.suffix(2)), hops: 0, pushed: true)), on: lack.links[0])
        #expect(tour.call(1) { $0.drainReadable() }.isEmpty)
        tour.feed(1, .epochKeys([try lack.secret]), on: lack.links[0])
        #expect(tour.call(1) { $0.drainReadable() } == [event.header])
        #expect(tour.call(1) { $0.drainReadable() }.isEmpty)
    }
}
