import FuzzSupport
import TourGroup
import TourMailbox
import TourModel
import TourNotebook

/// What a server answers, whatever it is asked: to the sync of a tour and to that of a notebook.
enum ServerHarness {
    private static let answersMax = 400

    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        let isNotebook = program.flag()
        let server = FuzzServer(program, answersMax: answersMax)
        waiting { if isNotebook { await syncNotebook(server) } else { await syncTour(server) } }
    }

    private static func client(_ server: FuzzServer) -> APIClient? {
        guard let base = try? MailboxBase("https://mailbox.example") else { return nil }
        return APIClient(
            base: base, transport: server, tokens: KeptTokens(base.description), now: { Instant(microseconds: 0) },
            wallMilliseconds: { FuzzTour.wall }, pause: { _ in })
    }

    private static func syncTour(_ server: FuzzServer) async {
        guard let client = client(server) else { return check(false, "an address is none") }
        let keys = FuzzTour.memberKeys(1)
        let mailbox = Mailbox(client: client, pass: MemberPass(tour: FuzzTour.tour, identity: keys.identity))
        let peer = FuzzSyncPeer()
        var memory = SyncMemory()
        var plan = SyncPlan()
        var chance = SplitMix64(seed: 1)
        while !server.isAtEnd {
            var run = SyncRun(mailbox: mailbox, peer: peer, memory: memory)
            var pause: Duration?
            do {
                try await run.run()
            } catch {
                check(!error.code.isEmpty, "a failure without a code")
                if case .http(_, _, let retryAfter) = error { pause = retryAfter }
            }
            memory = run.memory
            check((0...100).contains(run.progress.percent), "\(run.progress.percent) of 100")
            plan.ended(pause: pause, now: Instant(microseconds: 0), using: &chance)
            _ = memory.isBlocked(keys.memberID, through: .max)
            _ = try? await mailbox.follow { _ in }
            _ = try? await client.logIn(email: "ada@example.org", password: "three short words")
        }
    }

    private static func syncNotebook(_ server: FuzzServer) async {
        guard let client = client(server) else { return check(false, "an address is none") }
        let peer = FuzzNotebookPeer()
        var memory = NotebookMemory()
        var plan = NotebookPlan()
        var chance = SplitMix64(seed: 1)
        while !server.isAtEnd {
            var run = NotebookRun(client: client, peer: peer, memory: memory)
            var isWell = false
            do {
                try await run.run()
                isWell = true
            } catch {
                check(!error.code.isEmpty, "a failure without a code")
            }
            memory = run.memory
            plan.ended(isWell: isWell, pause: nil, now: Instant(microseconds: 0), using: &chance)
        }
    }
}
