import Logging
import TourMailbox
import TourModel
import TourNotebook
import TourStore
import TourWords

// When the notebook syncs, and the operations that need the server. Source: `Protocol/12-notebook.md`, "On a device".
extension TourNode {
    /// The user changed the notebook here.
    func recordNotebookEdit() { notebookDesk.plan.schedule(for: .edited, now: NodeClock.now) }

    /// The user asks for a sync now, which also sends again what the server rejected.
    func askNotebook() {
        notebookDesk.sendsRefused = true
        notebookDesk.plan.schedule(for: .asked, now: NodeClock.now)
    }

    /// A network appeared. Routers renew addresses again and again, so this is no reason shortly after a successful
    /// sync.
    func scheduleNotebookSync() {
        let now = NodeClock.now
        let isFresh = notebookDesk.endedAt.map { now - $0 < Self.freshTime } ?? false
        if !isFresh || notebookDesk.problem != nil { notebookDesk.plan.schedule(for: .network, now: now) }
    }

    /// The server answered for a tour, so the notebook's sync can reach it as well.
    func retryNotebookSync() {
        if notebookDesk.task == nil, notebookDesk.problem != nil { scheduleNotebookSync() }
    }

    /// Once a second, while there is a server.
    func tickNotebook(now: Instant) {
        guard notebookDesk.task == nil, let due = notebookDesk.plan.due, due <= now,
            let client = mailboxState?.client
        else { return }
        notebookDesk.plan.began()
        let peer = StoredNotebook(store: store, sendsRefused: notebookDesk.sendsRefused) { [weak self] error in
            await self?.notebookFailed(error)
        }
        var run = NotebookRun(client: client, peer: peer, memory: notebookDesk.memory)
        notebookDesk.task = Task {
            guard await client.account != nil else { return self.endedNotebook(memory: run.memory, nil, isIdle: true) }
            var problem: NotebookRunError?
            do throws(NotebookRunError) { try await run.run() } catch { problem = error }
            self.endedNotebook(memory: run.memory, problem, isIdle: false)
        }
    }

    private func notebookFailed(_ error: StoreError) {
        count(error)
        logger.error("the notebook cannot be read or written", metadata: ["error": "\(error)"])
    }

    /// - Parameter isIdle: nobody is logged in, and nothing was done.
    private func endedNotebook(memory: NotebookMemory, _ problem: NotebookRunError?, isIdle: Bool) {
        notebookDesk.task = nil
        notebookDesk.memory = memory
        notebookDesk.problem = problem
        notebookDesk.endedAt = NodeClock.now
        var pause: Duration?
        if case .api(.http(_, _, let retryAfter))? = problem { pause = retryAfter }
        notebookDesk.plan.ended(isWell: problem == nil, pause: pause, now: NodeClock.now, using: &rng)
        guard !isIdle else { return }
        if problem == nil { notebookDesk.sendsRefused = false }
        scheduleMemoryRelease()
        if let problem { logger.debug("the notebook's sync failed", metadata: ["code": "\(problem.code)"]) }
    }

    /// Cancels the sync in progress, and ignores its result.
    func endNotebookSync() async {
        guard let task = notebookDesk.task else { return }
        task.cancel()
        await task.value
    }

    /// Detaches the notebook from its account; the account that logs in next, or is logged in, gets all of it.
    /// - Throws: `NodeError` with the code of a `StoreError`.
    package func unlinkNotebook() async throws {
        await endNotebookSync()
        do {
            try await Self.besideTheLoop { [store] in try store.unlinkNotebook() }
        } catch {
            throw NodeError.store(error)
        }
        askNotebook()
    }

    /// The bytes of a picture or file of a saved place. Those not yet on this device are fetched from the server, and
    /// kept.
    /// - Throws: `NodeError`: `unknown-file`, `no-mailbox`, and the codes of a `StoreError`; `APIError`.
    package func notebookFile(
        _ attachment: NotebookID, of item: NotebookID
    ) async throws -> (attachment: NotebookAttachment, bytes: [UInt8]) {
        let (found, kept) = try await storedNotebookFile(attachment, of: item)
        guard var file = found else {
            throw NodeError("unknown-file", Phrase("This place has no such picture or file."))
        }
        if let kept { return (file, kept) }
        guard let address = file.url.flatMap({ PlaceFile(address: $0) }) else {
            throw NodeError("unknown-file", Phrase("This picture or file is neither here nor at the server."))
        }
        guard let client = mailboxState?.client else { throw NodeError.noMailbox }
        let fetched = try await NotebookRun.fetch(address, from: client)
        file.media = fetched.media
        file.bytes = fetched.bytes.count
        do {
            try await Self.besideTheLoop { [store, file] in
                try store.keepNotebookFile(of: item, file, fetched.bytes)
            }
        } catch {
            // The file can be shown all the same, and fetched again.
            if let error = error as? StoreError { count(error) }
        }
        return (file, fetched.bytes)
    }

    private func storedNotebookFile(
        _ attachment: NotebookID, of item: NotebookID
    ) async throws -> (NotebookAttachment?, [UInt8]?) {
        do {
            return try await Self.besideTheLoop { [store] in
                let file = try store.notebookEntry(item)?.files.first { $0.id == attachment }
                return (file, file == nil ? nil : try store.notebookFileBytes(attachment))
            }
        } catch {
            throw NodeError.store(error)
        }
    }

    /// For `status`.
    var notebookStanding: (pending: Int, problem: SyncReport.Problem?) {
        let problem = notebookDesk.problem.map { SyncReport.Problem($0) }
        return ((try? store.notebookPending()) ?? 0, problem)
    }
}
