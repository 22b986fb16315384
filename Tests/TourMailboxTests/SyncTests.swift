import NIOHTTP1
import Synchronization
import Testing
import TourGroup
import TourMailbox
import TourModel
import TourWire

/// Goal: after a sync node and server hold the same, whatever broke on the way. Method: real HTTP to a double written
/// from the chapter, which plays the faults.
struct SyncTests {
    private static let guide = AccountTokens(access: "guide", refresh: nil, account: "guide@tour", base: "")

    private func tour(members: UInt8 = 3, messages: Int = 5) -> TestTour {
        var tour = TestTour(members: members)
        for index in 0..<messages {
            for number in 1...members { tour.say("message \(index)", by: number) }
        }
        return tour
    }

    @Test func everythingIsPushedAndThenPulledByAnother() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, giver, as: 2).problem == nil)
        #expect(bench.mailbox.events == tour.events)
        bench.mailbox.state.withLock { $0.pageEvents = 4 }
        let taker = TestPeer(tour, as: 3)
        let result = await bench.sync(tour, taker, as: 3)
        #expect(result.problem == nil)
        #expect(taker.events == tour.events)
        #expect(result.run.progress.percent == 100)
        #expect(result.run.progress.pulled == UInt64(tour.events.count - 1))
        await bench.end()
    }

    @Test func whatIsSyncedComesFromTheAnswersOnly() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        bench.mailbox.plan(.init(path: "sync", reaction: .refusal(400, "bad-json"), isAfterwards: true))
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, giver, as: 2).problem == .http(status: 400, code: "bad-json"))
        // The server has more, but has not said so.
        #expect(giver.notes.map(\.heads) == [[tour.creator: 1]])
        #expect(await bench.sync(tour, giver, as: 2).problem == nil)
        #expect(giver.notes.last?.heads[tour.creator] == UInt64(tour.logs[tour.creator]?.count ?? 0))
        #expect(giver.notes.last?.at.milliseconds == 1_777_629_600_000)
        await bench.end()
    }

    @Test func secondSyncMovesNothing() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        let first = await bench.sync(tour, giver, as: 2)
        let proofs = bench.mailbox.asked("auth/member").count
        let second = await bench.sync(tour, giver, as: 2, memory: first.run.memory)
        _ = await bench.sync(tour, giver, as: 2, memory: second.run.memory)
        #expect(bench.mailbox.asked("sync").count <= 3)
        let pushes = bench.mailbox.asked("sync").count
        _ = await bench.sync(tour, giver, as: 2, memory: second.run.memory)
        #expect(bench.mailbox.asked("sync").count == pushes)
        // The last frontier was not sent again.
        #expect(bench.mailbox.asked("frontier").last?.headers.first(name: "If-None-Match") != nil)
        #expect(bench.mailbox.asked("auth/member").count == proofs)
        await bench.end()
    }

    @Test func tourIsMadeKnownByAGuideWhoIsLoggedIn() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(), account: Self.guide)
        let member = TestPeer(tour, as: 2, logs: tour.logs)
        let unknown = await bench.sync(tour, member, as: 2).problem
        #expect(unknown?.code == "mailbox-unknown-group")
        let guide = TestPeer(tour, as: 1, logs: tour.logs)
        #expect(await bench.sync(tour, guide, as: 1).problem == nil)
        #expect(bench.mailbox.events == tour.events)
        #expect(await bench.sync(tour, member, as: 2).problem == nil)
        await bench.end()
    }

    @Test func guideWithoutAnAccountMakesNothingKnown() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox())
        let guide = TestPeer(tour, as: 1, logs: tour.logs)
        #expect(await bench.sync(tour, guide, as: 1).problem?.code == "mailbox-unknown-group")
        #expect(bench.mailbox.asked("groups").isEmpty)
        await bench.end()
    }

    /// Nobody has told the server of member 2, nor of 4, whom 2 let in.
    @Test func memberWhomTheServerDoesNotKnowIntroducesItself() async throws {
        var tour = TestTour(members: 2)
        tour.admit(4, by: 2)
        tour.say("from far away", by: 4)
        let bench = try await Bench(MiniMailbox(tour))
        let newcomer = TestPeer(tour, as: 4, logs: tour.logs)
        #expect(await bench.sync(tour, newcomer, as: 4).problem == nil)
        #expect(bench.mailbox.events == tour.events)
        await bench.end()
    }

    @Test(arguments: [
        Reaction.refusal(500, "internal"), .refusal(503, "busy", retryAfter: 7), .hangUp, .half(Array("{}".utf8)),
    ])
    func passingFaultsAreSatOut(reaction: Reaction) async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        for path in ["healthz", "nonce", "member", "frontier", "sync"] {
            bench.mailbox.plan(.init(path: path, reaction: reaction))
        }
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, giver, as: 2).problem == nil)
        #expect(bench.mailbox.events == tour.events)
        // A connection that was used before and ends without a word is no fault: libcurl asks again on a new one.
        if case .hangUp = reaction { #expect(bench.waits.count == 1) } else { #expect(bench.waits.count == 5) }
        if case .answer(503, _, _) = reaction { #expect(bench.waits == Array(repeating: .seconds(7), count: 5)) }
        await bench.end()
    }

    @Test func lostAnswerChangesNothing() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        bench.mailbox.plan(.init(path: "sync", reaction: .hangUp, isAfterwards: true))
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, giver, as: 2).problem == nil)
        let keys = bench.mailbox.asked("sync").map { $0.headers.first(name: "Idempotency-Key") }
        #expect(keys.count >= 2)
        #expect(keys[0] == keys[1])
        #expect(keys.allSatisfy { $0?.count == 32 })
        #expect(bench.mailbox.events == tour.events)
        await bench.end()
    }

    @Test func tokenThatEndsInTheMiddleIsRenewedOnce() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        bench.mailbox.plan(.init(path: "sync", reaction: .refusal(401, "invalid-token"), after: 1))
        // The creator is known from the start.
        let giver = TestPeer(tour, as: 1, logs: tour.logs)
        #expect(await bench.sync(tour, giver, as: 1).problem == nil)
        #expect(bench.mailbox.asked("auth/member").count == 2)
        #expect(bench.mailbox.events == tour.events)
        await bench.end()
    }

    @Test func tokenIsAskedAnewBeforeItsTimeIsOver() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        let giver = TestPeer(tour, as: 1, logs: tour.logs)
        let first = await bench.sync(tour, giver, as: 1)
        bench.pass(.seconds(871))
        _ = await bench.sync(tour, giver, as: 1, memory: first.run.memory)
        #expect(bench.mailbox.asked("auth/member").count == 2)
        await bench.end()
    }

    @Test func whatIsRefusedForGoodIsNotPushedAgain() async throws {
        let tour = tour(messages: 3)
        let bench = try await Bench(MiniMailbox(tour))
        let member = TestTour.id(2)
        let log = try #require(tour.logs[member])
        bench.mailbox.state.withLock { $0.refuses[log[1].id] = "bad-signature" }
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        let first = await bench.sync(tour, giver, as: 2)
        #expect(first.problem == nil)
        #expect(first.run.memory.refused[log[1].id] == "bad-signature")
        #expect(bench.mailbox.events == tour.events.subtracting(log.dropFirst().map(\.id)))
        let pushes = bench.mailbox.asked("sync").count
        _ = await bench.sync(tour, giver, as: 2, memory: first.run.memory)
        #expect(bench.mailbox.asked("sync").count == pushes)
        await bench.end()
    }

    @Test func whoIsOutLearnsItBySignedEvents() async throws {
        var tour = tour()
        let before = tour.logs
        tour.remove(3)
        let bench = try await Bench(MiniMailbox(tour))
        let guide = TestPeer(tour, as: 1, logs: tour.logs)
        #expect(await bench.sync(tour, guide, as: 1).problem == nil)
        let removed = TestPeer(tour, as: 3, logs: before)
        #expect(removed.roster.members[TestTour.id(3)]?.isActive == true)
        #expect(await bench.sync(tour, removed, as: 3).problem == .http(status: 403, code: "removed"))
        #expect(removed.roster.members[TestTour.id(3)]?.isActive == false)
        await bench.end()
    }

    /// A server that lost events gets them again, and its control events are read from the beginning.
    @Test func serverThatLostEventsIsFilledAgain() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        let first = await bench.sync(tour, giver, as: 2)
        bench.mailbox.state.withLock { state in
            state.logs = [tour.creator: [tour.founding.group.genesisEvent]]
            state.controls = []
        }
        #expect(await bench.sync(tour, giver, as: 2, memory: first.run.memory).problem == nil)
        #expect(bench.mailbox.events == tour.events)
        await bench.end()
    }

    @Test func manyEventsGoInSeveralBatches() async throws {
        var tour = TestTour(members: 2)
        for index in 0..<1_500 { tour.say("message \(index)", by: 2) }
        let bench = try await Bench(MiniMailbox(tour))
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        let result = await bench.sync(tour, giver, as: 2)
        #expect(result.problem == nil)
        #expect(bench.mailbox.events == tour.events)
        #expect(giver.progress.map(\.percent) == giver.progress.map(\.percent).sorted())
        #expect(giver.progress.contains { (1..<100).contains($0.percent) })
        await bench.end()
    }

    /// What was read for the next batch, while the server worked on this one, is not pushed behind a refusal.
    @Test func batchThatWasReadAheadIsDroppedBehindARefusal() async throws {
        var tour = TestTour(members: 3)
        for index in 0..<1_200 { tour.say("message \(index)", by: 2) }
        tour.say("another's", by: 3)
        let bench = try await Bench(MiniMailbox(tour))
        let log = try #require(tour.logs[TestTour.id(2)])
        bench.mailbox.state.withLock { $0.refuses[log[700].id] = "bad-signature" }
        let giver = TestPeer(tour, as: 1, logs: tour.logs)
        #expect(await bench.sync(tour, giver, as: 1).problem == nil)
        #expect(bench.mailbox.events == tour.events.subtracting(log.dropFirst(700).map(\.id)))
        let last = try #require(log.last).id.hex
        let pushed = bench.mailbox.asked("sync").map { String(decoding: $0.body, as: UTF8.self) }
        #expect(pushed.allSatisfy { !$0.contains(#""localId":"\#(last)""#) })
        await bench.end()
    }

    @Test func aSyncThatBrokeOffIsGoneOnWith() async throws {
        var tour = TestTour(members: 2)
        for index in 0..<1_500 { tour.say("message \(index)", by: 2) }
        let bench = try await Bench(MiniMailbox(tour))
        bench.mailbox.plan(.init(path: "sync", reaction: .refusal(422, "invalid-field"), after: 2))
        let giver = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, giver, as: 2).problem != nil)
        let half = bench.mailbox.events.count
        #expect(half > 1 && half < tour.events.count)
        #expect(await bench.sync(tour, giver, as: 2).problem == nil)
        #expect(bench.mailbox.events == tour.events)
        await bench.end()
    }

    @Test func wordOfAServerPutsNobodyOut() async throws {
        let tour = tour()
        let bench = try await Bench(MiniMailbox(tour))
        let guide = TestPeer(tour, as: 1, logs: tour.logs)
        bench.mailbox.plan(.init(path: "auth/member", reaction: .refusal(403, "removed")))
        #expect(await bench.sync(tour, guide, as: 1).problem == .http(status: 403, code: "removed"))
        #expect(guide.roster.members[tour.creator]?.isActive == true)
        await bench.end()
    }

    /// Empty pages that promise more, and pages of what is here already.
    @Test(arguments: [true, false])
    func serverThatLeadsInCirclesIsLeft(isEmpty: Bool) async throws {
        let tour = tour()
        let mailbox = MiniMailbox(tour)
        let filled = try await Bench(mailbox)
        #expect(await filled.sync(tour, TestPeer(tour, as: 1, logs: tour.logs), as: 1).problem == nil)
        await filled.end()
        let old = Run(tour.logs[tour.creator]?.prefix(1) ?? [], hops: 0, pushed: false)
        let page = MailboxEvents(runs: isEmpty ? [] : [old], more: true).encode()
        let bench = try await Bench { request in
            request.path.hasSuffix("events")
                ? .answer(200, [("Content-Type", "application/x-protobuf")], page) : mailbox.answer(request)
        }
        let taker = TestPeer(tour, as: 1)
        let problem = await bench.sync(tour, taker, as: 1).problem
        #expect(problem == (isEmpty ? .decoding : nil))
        #expect(mailbox.asked("events").count < 3)
        await bench.end()
    }
}
