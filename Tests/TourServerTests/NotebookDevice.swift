import Foundation
import NIOPosix
import Synchronization
import Testing
import TourCrypto
import TourCurl
import TourMailbox
import TourModel
import TourNotebook
import TourStore

/// A device with a notebook, without the rest of its node: a real store, and the node's own client over a connection
/// that fails when the test says so.
final class NotebookDevice: Sendable {
    let store: TourStore
    let client: APIClient
    let transport: UnsteadyCourier
    /// Items in one request or answer.
    let limit: Int
    private let memory = Mutex(NotebookMemory())
    private let path: String

    init(_ server: RunningServer, limit: Int = NotebookRun.itemsMax) throws {
        path = RunningServer.temporaryDirectory()
        store = try TourStore(
            directory: DataDirectory(path: path), storageKey: SecretBytes([UInt8](repeating: 7, count: 32)),
            decode: { _, _ in nil })
        transport = UnsteadyCourier(try CurlTransport())
        client = APIClient(
            base: try MailboxBase("http://127.0.0.1:\(server.port)"), transport: transport, tokens: KeptTokens(),
            now: { Instant(microseconds: server.clock.now) }, wallMilliseconds: { server.clock.now / 1_000 },
            // Who waits lets time pass: the server may have asked for it.
            pause: { server.clock.advance(seconds: max($0.components.seconds, 1)) })
        self.limit = limit
    }

    /// Devices for as long as `body` takes.
    static func run(
        _ server: RunningServer, limits: [Int], _ body: ([NotebookDevice]) async throws -> Void
    ) async throws {
        let devices = try limits.map { try NotebookDevice(server, limit: $0) }
        do {
            try await body(devices)
        } catch {
            for device in devices { await device.close() }
            throw error
        }
        for device in devices { await device.close() }
    }

    private final class KeptTokens: TokenStore {
        private let kept = Mutex<AccountTokens?>(nil)
        func tokens() async -> AccountTokens? { kept.withLock { $0 } }
        func keep(_ tokens: AccountTokens?) async { kept.withLock { $0 = tokens } }
    }

    func logIn(_ email: String = "a@example.org") async throws {
        try await client.logIn(email: email, password: "correct horse")
    }

    /// One sync, as the node does it.
    func sync() async throws(NotebookRunError) {
        let peer = DirectNotebook(store: store, limit: limit)
        var run = NotebookRun(client: client, peer: peer, memory: memory.withLock { $0 })
        do throws(NotebookRunError) {
            try await run.run()
        } catch {
            memory.withLock { $0 = run.memory }
            throw error
        }
        memory.withLock { $0 = run.memory }
    }

    func put(_ id: NotebookID, _ content: NotebookContent) throws {
        try store.editNotebook([.put(id, content)], now: 1_780_272_000)
    }

    /// Everything in it, by id.
    var items: [NotebookItem] {
        get throws {
            try NotebookKind.allCases.flatMap { try store.notebook($0) }.map(\.item).sorted { $0.id < $1.id }
        }
    }

    func close() async {
        await client.close()
        try? store.close()
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The store without the node's other threads.
private struct DirectNotebook: NotebookPeer {
    let store: TourStore
    let limit: Int

    func claim(for account: NotebookID) async -> Bool? { try? store.claimNotebook(for: account.text) }

    func exchange(after position: Int64, limit: Int) async -> (exchange: DeltaExchange, position: Int64)? {
        try? store.nextNotebookExchange(after: position, limit: min(limit, self.limit), withRefused: false)
    }

    func receive(_ answer: DeltaAnswer, to exchange: DeltaExchange) async -> Bool {
        (try? store.apply(answer, to: exchange)) ?? false
    }

    func upload(after position: Int64) async -> FileUpload? {
        try? store.nextNotebookUpload(after: position, withRefused: false)
    }

    func part(of upload: FileUpload, _ number: Int) async -> [UInt8]? {
        try? store.notebookFilePart(upload.id, number)
    }

    func settle(_ upload: FileUpload, as item: NotebookItem) async { try? store.settle(upload, as: item) }

    func refuse(_ upload: FileUpload, _ words: String) async { try? store.refuse(upload, words) }
}

/// A way to the server that is cut in the middle of an exchange, before the server or behind it.
final class UnsteadyCourier: HTTPTransport {
    enum Cut: Sendable {
        /// The request arrives nowhere.
        case before
        /// It arrives and is answered, and the answer is lost.
        case after
    }

    private struct Plan {
        var cut: (Cut, exchange: Int)?
        var during: (@Sendable () async -> Void)?
        var exchanges = 0
        var answerBytes = 0
    }

    private let inner: CurlTransport
    private let plan = Mutex(Plan())

    init(_ inner: CurlTransport) { self.inner = inner }

    /// - Parameter cut: how, and at which exchange from 0; nil: all goes well.
    /// - Parameter during: runs while an answer is on its way.
    func begin(cut: (Cut, exchange: Int)? = nil, during: (@Sendable () async -> Void)? = nil) {
        plan.withLock { $0 = Plan(cut: cut, during: during) }
    }

    /// Exchanges since `begin`.
    var exchanges: Int { plan.withLock { $0.exchanges } }
    /// The bytes of their answers.
    var answerBytes: Int { plan.withLock { $0.answerBytes } }

    func send(_ outgoing: OutgoingRequest) async throws(TransferError) -> TourCurl.Reply {
        let isDelta = outgoing.address.hasSuffix("/sync/delta")
        guard isDelta || outgoing.address.hasSuffix("/upsert") else { return try await inner.send(outgoing) }
        let (cut, during) = plan.withLock { plan in
            defer { plan.exchanges += 1 }
            let isNow = plan.cut?.exchange == plan.exchanges
            return (isNow ? plan.cut?.0 : nil, plan.during)
        }
        // Cancelled ones are not sent again: the next sync begins from what is stored.
        if case .before? = cut { throw TransferError(.cancelled) }
        let reply = try await inner.send(outgoing)
        plan.withLock { $0.answerBytes += reply.body.count }
        await during?()
        if case .after? = cut { throw TransferError(.cancelled) }
        return reply
    }

    func follow(
        _ outgoing: OutgoingRequest, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(TransferError) -> TourCurl.Reply {
        try await inner.follow(outgoing, receive: receive)
    }

    func close() async { await inner.close() }
}
