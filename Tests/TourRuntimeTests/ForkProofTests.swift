import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: a log with two branches is proven to fork once, by any honest member that sees both, and by nobody about
/// itself. Method: the test holds a member's key, and sends one machine both branches.
@Suite struct ForkProofTests {
    /// Device 0 has one branch of member 1's log, in its store; the other is not sent yet.
    private struct Forked {
        let tour: MemoryTour
        let link: LinkID
        let other: [Event]

        init() throws {
            tour = try MemoryTour()
            let tour = tour
            link = tour.link(0, toward: 1)
            let branch = try tour.texts(3, of: 1, saying: "one branch")
            tour.feed(0, .run(Run(branch, hops: 0, pushed: true)), on: link)
            other = try tour.texts(4, of: 1, saying: "the other")
            tour.hold("writeFork")
        }

        /// The other branch arrives, as an answer to our pull.
        func receive() -> [TourEffect] { tour.feed(0, .run(Run(other, hops: 0, pushed: false)), on: link) }
    }

    @Test func aSecondBranchIsAskedForOnceAndProvenOnce() throws {
        let forked = try Forked()
        let tour = forked.tour
        let next = tour.feed(0, .run(Run([forked.other[3]], hops: 0, pushed: true)), on: forked.link)
        let wants = next.sent(on: forked.link).count { if case .want = $0 { true } else { false } }
        #expect(wants == 1, "it shows a fork, and not where")
        #expect(next.count("compare") == 0)
        let branch = Run(Array(forked.other.prefix(3)), hops: 0, pushed: false)
        let effects = tour.feed(0, .run(branch), on: forked.link)
        #expect(effects.count("compare") == 1)
        #expect(effects.count("writeFork") == 1)
        let again = tour.feed(0, .run(branch), on: forked.link)
        #expect(again.count("compare") == 0)
        #expect(again.count("writeFork") == 0)
    }

    @Test func theProofEndsTheMembership() throws {
        let forked = try Forked()
        let tour = forked.tour
        tour.release("writeFork")
        tour.feed(0, .run(Run([forked.other[3]], hops: 0, pushed: true)), on: forked.link)
        let effects = tour.feed(0, .run(Run(Array(forked.other.prefix(3)), hops: 0, pushed: false)), on: forked.link)
        #expect(tour.devices[0].machine.group.roster.members[tour.devices[1].id]?.isForked == true)
        #expect(effects.closed[forked.link] == .removed)
        let proof = try #require(tour.devices[0].logs[tour.devices[0].id]?.last)
        let peers = [1, 2].map { tour.link($0, toward: 0) }
        for (device, link) in zip([1, 2], peers) { tour.feed(device, .control([proof.bytes]), on: link) }
        #expect(tour.devices[2].machine.group.roster.members[tour.devices[1].id]?.isForked == true)
        #expect(tour.devices[1].machine.isOut, "the member itself learns of it")
    }

    @Test func aProofThatWasNotWrittenIsMadeAgain() throws {
        let forked = try Forked()
        let tour = forked.tour
        tour.feed(0, .run(Run([forked.other[3]], hops: 0, pushed: true)), on: forked.link)
        let branch = Run(Array(forked.other.prefix(3)), hops: 0, pushed: false)
        let first = tour.feed(0, .run(branch), on: forked.link)
        tour.feed(0, .forkNotWritten(tour.devices[1].id))
        let second = tour.feed(0, .run(branch), on: forked.link)
        #expect([first, second].map { $0.count("writeFork") } == [1, 1])
    }

    /// Two answers may be under way when the first proof is made.
    @Test func twoAnswersMakeOneProof() throws {
        let forked = try Forked()
        let tour = forked.tour
        tour.hold("compare")
        tour.feed(0, .run(Run([forked.other[3]], hops: 0, pushed: true)), on: forked.link)
        let branch = Run(Array(forked.other.prefix(3)), hops: 0, pushed: false)
        let effects = tour.feed(0, .run(branch), on: forked.link)
        let asked = effects.compactMap { if case .compare(let question) = $0 { question } else { nil } }
        let question = try #require(asked.first)
        let stored = try #require(tour.devices[0].logs[tour.devices[1].id])
        let proof = try #require(question.proof(from: stored))
        for _ in 0..<2 { tour.feed(0, .forkFound(proof, of: tour.devices[1].id)) }
        #expect(tour.count("writeFork", 0) == 1)
    }

    @Test func aControlEventInThePlaceOfAStoredOneIsCompared() throws {
        let forked = try Forked()
        let tour = forked.tour
        let first = try #require(tour.devices[0].logs[tour.devices[1].id]?.first)
        var author = tour.forger(of: 1, behind: first)
        let body = MemoryTour.admission(of: try tour.stranger(), under: tour.invite, tour: tour.tour)
        let rival = author.write(body, wallMilliseconds: MemoryTour.startMilliseconds)
        let effects = tour.feed(0, .control([rival.bytes]), on: forked.link)
        #expect(effects.count("compare") == 1)
        #expect(effects.count("writeFork") == 1)
    }

    @Test func aContentInThePlaceOfAKnownControlEventIsCompared() throws {
        let tour = try MemoryTour()
        tour.hold("writeFork")
        let link = tour.link(0, toward: 1)
        var author = tour.forger(of: 1)
        let body = MemoryTour.admission(of: try tour.stranger(), under: tour.invite, tour: tour.tour)
        let known = author.write(body, wallMilliseconds: MemoryTour.startMilliseconds)
        tour.feed(0, .control([known.bytes]), on: link)
        let log = try tour.texts(1, of: 1)
        let effects = tour.feed(0, .run(Run(log, hops: 0, pushed: true)), on: link)
        #expect(effects.count("writeFork") == 1)
    }

    @Test func ourOwnForkIsNoProofOfOursAndEndsOurWriting() throws {
        let tour = try MemoryTour()
        let (links, text) = ([0, 2].map { tour.link(1, toward: $0) }, "from a copy of our disk")
        for number in 0..<3 { try tour.write(1, text: "\(number)") }
        let copied = try tour.texts(4, of: 1, saying: text)
        let effects = tour.feed(1, .run(Run([copied[3]], hops: 0, pushed: true)), on: links[0])
        #expect(effects.count("saveOwnLog") == 1)
        #expect(effects.closed.isEmpty, "the others may still ask for our branch")
        tour.feed(1, .run(Run(Array(copied.prefix(3)), hops: 0, pushed: false)), on: links[0])
        #expect(tour.count("compare", 1) == 0)
        #expect(tour.count("writeFork", 1) == 0)
        #expect(tour.devices[1].machine.hasLostKey)
        #expect(throws: WriteRefusal.ownLog(.forked)) { _ = try tour.draft(1, text: "no more") }
        #expect(tour.count("close", 1) == 0)
        tour.advance(by: .seconds(6))
        #expect(tour.count("close", 1) == links.count)
    }
}
