import Synchronization
import Testing
import TourMailbox
import TourModel

/// Goal: an account is tied to the member whose node it is logged in on, once, and a sync never fails by it.
/// Method: real HTTP to the double, which checks the proof.
struct BindTests {
    private static func account(_ token: String) -> AccountTokens {
        AccountTokens(access: token, refresh: nil, account: "\(token)@tours.example", base: "")
    }

    private static func binds(_ bench: Bench) -> Int { bench.mailbox.asked("/bind").count }

    @Test func accountIsTiedToTheMemberOnce() async throws {
        let tour = TestTour(members: 2)
        let bench = try await Bench(MiniMailbox(tour), account: Self.account("guide"))
        let peer = TestPeer(tour, as: 2, logs: tour.logs)
        let first = await bench.sync(tour, peer, as: 2)
        #expect(first.problem == nil)
        #expect(bench.mailbox.state.withLock { $0.seats } == ["guide": TestTour.id(2)])
        #expect(await bench.sync(tour, peer, as: 2, memory: first.run.memory).problem == nil)
        #expect(Self.binds(bench) == 1)
        await bench.end()
    }

    @Test func nobodyLoggedInTiesNothing() async throws {
        let tour = TestTour(members: 2)
        let bench = try await Bench(MiniMailbox(tour))
        #expect(await bench.sync(tour, TestPeer(tour, as: 2, logs: tour.logs), as: 2).problem == nil)
        #expect(Self.binds(bench) == 0)
        await bench.end()
    }

    @Test func anotherLoginTiesAgain() async throws {
        let tour = TestTour(members: 2)
        let mailbox = MiniMailbox(tour)
        mailbox.state.withLock { _ = $0.guides.insert("second") }
        let bench = try await Bench(mailbox, account: Self.account("guide")) { request in
            request.path == "/auth/login"
                ? .json(200, #"{"access_token":"second","token_type":"bearer","expires_in":900}"#)
                : mailbox.answer(request)
        }
        let peer = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        // The same name again, too: it may be another account now.
        try await bench.client.logIn(email: "guide@tours.example", password: "x")
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        #expect(mailbox.state.withLock { $0.seats } == ["guide": TestTour.id(2), "second": TestTour.id(2)])
        await bench.end()
    }

    @Test func whatIsRefusedForGoodIsNotAskedAgain() async throws {
        let tour = TestTour(members: 2)
        let bench = try await Bench(MiniMailbox(tour), account: Self.account("guide"))
        bench.mailbox.plan(.init(path: "/bind", reaction: .refusal(403, "forbidden")))
        let peer = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        #expect(Self.binds(bench) == 1)
        await bench.end()
    }

    /// A proof that does not hold is no reason to spend the account's tokens.
    @Test func badProofRenewsNoToken() async throws {
        let tour = TestTour(members: 2)
        var account = Self.account("guide")
        account.refresh = "r1"
        let bench = try await Bench(MiniMailbox(tour), account: account)
        bench.mailbox.plan(.init(path: "/bind", reaction: .refusal(401, "bad-proof")))
        #expect(await bench.sync(tour, TestPeer(tour, as: 2, logs: tour.logs), as: 2).problem == nil)
        #expect(bench.mailbox.asked("/auth/refresh").isEmpty)
        #expect(bench.tokens.now?.refresh == "r1")
        await bench.end()
    }

    /// Too busy is not for good: the next sync asks.
    @Test func whatABusyServerSaysIsAskedAgain() async throws {
        let tour = TestTour(members: 2)
        let bench = try await Bench(MiniMailbox(tour), account: Self.account("guide"))
        bench.mailbox.plan(.init(path: "/bind", reaction: .refusal(429, "too-many-requests", retryAfter: 120)))
        let peer = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        #expect(bench.mailbox.state.withLock { $0.seats }.isEmpty)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        #expect(bench.mailbox.state.withLock { $0.seats } == ["guide": TestTour.id(2)])
        await bench.end()
    }
}
