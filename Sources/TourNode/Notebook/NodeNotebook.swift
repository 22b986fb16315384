import Logging
import TourMailbox
import TourModel
import TourNotebook
import TourStore

/// The notebook of the node's account: its notes, saved places and itineraries, their files, and when they sync with
/// the server. Sources: `Protocol/12-notebook.md`, "On a device"; for the shapes `Protocol/Schema/local-api.yaml`.
///
/// Runs on the node's event loop, so that a call between the two changes no threads. It knows nothing of tours, and of
/// the node only what `Server` gives it.
package actor NodeNotebook {
    /// What the node lends while a server is set.
    struct Server: Sendable {
        var client: APIClient
        /// For this long after a successful sync a new network is no reason for another one.
        var freshTime: Duration
        /// Counts a fault for `status`.
        var count: @Sendable (any Fault) -> Void
        /// A request is over: its memory can be released in a while.
        var scheduleMemoryRelease: @Sendable () -> Void
    }

    /// How the notebook stands with the server.
    private struct SyncState {
        var plan = NotebookPlan()
        var memory = NotebookMemory()
        /// The sync in progress.
        var task: Task<Void, Never>?
        /// Why the last sync failed; nil if it went well.
        var problem: NotebookRunError?
        /// When the last sync ended.
        var endedAt: Instant?
        /// Whether the next sync sends again what the server rejected: after a start, and when the user asks for a
        /// sync.
        var sendsRefused = true
    }

    private nonisolated let executor: any SerialExecutor
    nonisolated let store: TourStore
    private nonisolated let logger: Logger
    /// Makes ids, and spreads syncs.
    private var rng = SplitMix64(seed: .random(in: 0 ... .max))
    private var server: Server?
    private var sync = SyncState()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter executor: the node's.
    init(store: TourStore, executor: any SerialExecutor, logger: Logger) {
        self.store = store
        self.executor = executor
        self.logger = logger
    }

    /// In seconds since 1970.
    static var now: Int64 { NodeClock.wallMilliseconds / 1_000 }

    func newID() -> NotebookID { .random(using: &rng) }

    func newSeed() -> UInt64 { rng.next() }

    /// Reads or writes the store off the loop.
    /// - Throws: `NodeError`, with the code of a `StoreError`.
    nonisolated func besideTheLoop<Value: Sendable>(
        _ work: @escaping @Sendable (TourStore) throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { [store] in
            do { return try work(store) } catch let fault as any Fault where !(fault is StoreError) {
                // Why the caller's own change of an item is none.
                throw fault
            } catch {
                throw NodeError(storing: error)
            }
        }
    }

    /// Items and files that have not been sent to the server; 0 where the store cannot be read.
    var pending: Int { (try? store.notebookPending()) ?? 0 }

    /// Why the last sync failed; nil if it went well.
    var problem: NotebookRunError? { sync.problem }
}

// When the notebook syncs.
extension NodeNotebook {
    /// Syncs with this server from now on.
    func connect(to server: Server) { self.server = server }

    /// Cancels the sync in progress. The next server has a login of its own, so the sync starts afresh there.
    func disconnect() async {
        server = nil
        await endSync()
        sync = SyncState()
    }

    /// The user changed the notebook here.
    func recordEdit() { sync.plan.schedule(for: .edited, now: NodeClock.now) }

    /// The user asks for a sync now, which also sends again what the server rejected.
    func requestSync() {
        sync.sendsRefused = true
        sync.plan.schedule(for: .asked, now: NodeClock.now)
    }

    /// Syncs at once, and waits for the end.
    /// - Throws: `no-mailbox`, `APIError.unauthenticated`, and why the sync failed.
    package func syncNow() async throws {
        guard let server else { throw NodeError.noMailbox }
        guard await server.client.account != nil else { throw APIError.unauthenticated }
        await sync.task?.value
        requestSync()
        tick(now: NodeClock.now)
        await sync.task?.value
        if let problem = sync.problem { throw problem }
    }

    /// A network appeared. Routers renew addresses again and again, so this is no reason shortly after a successful
    /// sync.
    func scheduleSync() {
        guard let server else { return }
        let now = NodeClock.now
        let isFresh = sync.endedAt.map { now - $0 < server.freshTime } ?? false
        if !isFresh || sync.problem != nil { sync.plan.schedule(for: .network, now: now) }
    }

    /// The server answered for a tour, so the notebook's sync can reach it as well.
    func retrySync() {
        if sync.task == nil, sync.problem != nil { scheduleSync() }
    }

    /// Once a second, while there is a server.
    func tick(now: Instant) {
        guard let server, sync.task == nil, let due = sync.plan.due, due <= now else { return }
        sync.plan.began()
        let peer = StoredNotebook(store: store, sendsRefused: sync.sendsRefused) { [weak self] error in
            await self?.storeFailed(error, server)
        }
        var run = NotebookRun(client: server.client, peer: peer, memory: sync.memory)
        sync.task = Task {
            guard await server.client.account != nil else {
                return self.endedSync(memory: run.memory, nil, server, isIdle: true)
            }
            var problem: NotebookRunError?
            do throws(NotebookRunError) { try await run.run() } catch { problem = error }
            self.endedSync(memory: run.memory, problem, server, isIdle: false)
        }
    }

    private func storeFailed(_ error: StoreError, _ server: Server) {
        server.count(error)
        logger.error("the notebook cannot be read or written", metadata: ["error": "\(error)"])
    }

    /// - Parameter isIdle: nobody is logged in, and nothing was done.
    private func endedSync(memory: NotebookMemory, _ problem: NotebookRunError?, _ server: Server, isIdle: Bool) {
        sync.task = nil
        sync.memory = memory
        sync.problem = problem
        sync.endedAt = NodeClock.now
        var pause: Duration?
        if case .api(.http(_, _, let retryAfter))? = problem { pause = retryAfter }
        sync.plan.ended(isWell: problem == nil, pause: pause, now: NodeClock.now, using: &rng)
        guard !isIdle else { return }
        if problem == nil { sync.sendsRefused = false }
        server.scheduleMemoryRelease()
        if let problem { logger.debug("the notebook's sync failed", metadata: ["code": "\(problem.code)"]) }
    }

    /// Cancels the sync in progress, and waits for its end.
    private func endSync() async {
        guard let task = sync.task else { return }
        task.cancel()
        await task.value
    }

    /// Detaches the notebook from its account; the account that logs in next, or is logged in, gets all of it.
    /// - Throws: `NodeError` with the code of a `StoreError`.
    package func unlink() async throws {
        await endSync()
        try await besideTheLoop { store in try store.unlinkNotebook() }
        requestSync()
    }

    /// The bytes of a picture or file of a saved place. Those not yet on this device are fetched from the server, and
    /// kept.
    /// - Throws: `NodeError`: `unknown-file`, `no-mailbox`, and the codes of a `StoreError`; `APIError`.
    package func file(
        _ attachment: NotebookID, of item: NotebookID
    ) async throws -> (attachment: NotebookAttachment, bytes: [UInt8]) {
        let (found, kept) = try await storedFile(attachment, of: item)
        guard var file = found else {
            throw NodeError.notebook(.fileNotOfPlace)
        }
        if let kept { return (file, kept) }
        guard let address = file.url.flatMap({ PlaceFile(address: $0) }) else {
            throw NodeError.notebook(.fileNowhere)
        }
        guard let server else { throw NodeError.noMailbox }
        let fetched = try await NotebookRun.fetch(address, from: server.client)
        file.media = fetched.media
        file.bytes = fetched.bytes.count
        do {
            try await StoredNotebook.besideTheLoop { [store, file] () throws(StoreError) in
                try store.keepNotebookFile(of: item, file, fetched.bytes)
            }
        } catch {
            // The file can be shown all the same, and fetched again.
            server.count(error)
        }
        return (file, fetched.bytes)
    }

    private func storedFile(
        _ attachment: NotebookID, of item: NotebookID
    ) async throws -> (NotebookAttachment?, [UInt8]?) {
        try await besideTheLoop { store in
            let file = try store.notebookEntry(item)?.files.first { $0.id == attachment }
            return (file, file == nil ? nil : try store.notebookFileBytes(attachment))
        }
    }
}
