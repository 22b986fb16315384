import NIOPosix
import Synchronization
import TourCurl
import TourMailbox
import TourModel

/// A double, a client for it, and what the client waited for: no test waits itself.
final class Bench: Sendable {
    let mailbox: MiniMailbox
    let server: DoubleServer
    let client: APIClient
    let tokens: TestTokens
    private let waited: Pauses

    init(
        _ mailbox: MiniMailbox = MiniMailbox(), account: AccountTokens? = nil, authority: String? = nil,
        handler: DoubleServer.Handler? = nil
    ) async throws {
        self.mailbox = mailbox
        server = try await DoubleServer(handler: handler ?? { mailbox.answer($0) })
        var account = account
        account?.base = server.address
        tokens = TestTokens(account)
        let waited = Pauses()
        let transport = try CurlTransport(authority: authority)
        client = APIClient(
            base: try MailboxBase(server.address), transport: transport, tokens: tokens, now: { waited.now },
            wallMilliseconds: { TestTour.wall }, pause: { waited.add($0) })
        self.waited = waited
    }

    var waits: [Duration] { waited.list }

    /// The client's clock goes on.
    func pass(_ duration: Duration) { waited.pass(duration) }

    func end() async {
        await client.close()
        await server.close()
    }

    func sync(
        _ tour: TestTour, _ peer: TestPeer, as number: UInt8, memory: SyncMemory = SyncMemory()
    ) async -> (run: SyncRun, problem: APIError?) {
        let mailbox = Mailbox(client: client, pass: TestTour.pass(number, of: tour.tour))
        var run = SyncRun(mailbox: mailbox, peer: peer, memory: memory)
        do throws(APIError) {
            try await run.run()
            return (run, nil)
        } catch {
            return (run, error)
        }
    }
}

/// What was waited for: noted, and over at once.
private final class Pauses: Sendable {
    private let state = Mutex<(list: [Duration], now: Instant)>(([], Instant(microseconds: 0)))

    var list: [Duration] { state.withLock { $0.list } }
    var now: Instant { state.withLock { $0.now } }

    func add(_ duration: Duration) {
        state.withLock {
            $0.list.append(duration)
            $0.now = $0.now + duration
        }
    }

    func pass(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }
}
