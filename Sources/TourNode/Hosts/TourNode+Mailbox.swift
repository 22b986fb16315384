import Logging
import TourGroup
import TourMailbox
import TourModel
import TourStore

// The server: which one, and what its tours' syncs need on the node's loop. `NodeMailbox` and `TourSync` decide.
extension TourNode {
    /// Uses the server that the settings name, or the stored one.
    /// - Throws: `APIError.invalidURL`.
    func openMailbox() async throws {
        if let given = settings.mailbox {
            let base = given == "off" ? nil : try MailboxBase(given)
            try mailbox.store(base, authority: settings.mailboxAuthority, mailboxHost)
        }
        guard let text = try mailbox.storedBase(mailboxHost) else { return }
        do {
            try await openMailbox(at: MailboxBase(text))
        } catch  where settings.mailbox == nil {
            // An unusable address that an earlier run stored must not keep the node from starting.
            logger.warning("the server kept from before cannot be used", metadata: ["error": "\(error)"])
        }
    }

    /// Changes the server while the node runs.
    func setMailbox(_ text: String) async throws {
        let base = try MailboxBase(text)
        guard mailbox.client?.base != base else { return }
        try mailbox.store(base, authority: nil, mailboxHost)
        await closeMailbox()
        for session in sessions.values {
            session.sync.forgetServer()
            session.files.online.forget()
        }
        try await openMailbox(at: base)
    }

    private func openMailbox(at base: MailboxBase) async throws {
        connectNotebook(to: try mailbox.open(at: base, mailboxHost))
        do {
            let watch = try await NetworkWatch(loop: loop) { [weak self] in
                self?.assumeIsolated { $0.networkArrived() }
            }
            mailbox.keep(watch)
        } catch {
            logger.warning("the kernel does not tell of networks: syncs go by time", metadata: ["error": "\(error)"])
        }
        networkArrived()
    }

    /// The notebook knows nothing else of the node.
    private func connectNotebook(to client: APIClient) {
        let server = NodeNotebook.Server(
            client: client, freshTime: TourSync.freshTime,
            count: { [weak self] fault in self?.assumeIsolated { $0.count(fault) } },
            scheduleMemoryRelease: { [weak self] in
                self?.assumeIsolated { $0.mailbox.scheduleMemoryRelease($0.mailboxHost) }
            })
        notebook.assumeIsolated { $0.connect(to: server) }
    }

    func closeMailbox() async {
        guard let client = mailbox.close() else { return }
        await notebook.disconnect()
        let tasks = sessions.values.flatMap { session in
            session.files.online.stop()
            return session.sync.stop()
        }
        for task in tasks { await task.value }
        await client.close()
    }

    private func networkArrived() {
        guard let client = mailbox.client else { return }
        Task { await client.networkChanged() }
        notebook.assumeIsolated { $0.scheduleSync() }
        for session in sessions.values { session.sync.networkArrived(mailboxHost) }
    }

    /// Once a second.
    func tickMailbox(now: Instant) {
        let host = mailboxHost
        for session in sessions.values { session.sync.sendRows(now: now, host) }
        guard host.hasServer else { return }
        mailbox.tick(now: now, isSyncing: sessions.values.contains { $0.sync.isRunning }, host)
        notebook.assumeIsolated { $0.tick(now: now) }
        for session in sessions.values where session.isMember { session.sync.tick(now: now, host) }
    }

    func beginSync(of tour: TourID, from memory: SyncMemory) -> Task<Void, Never>? {
        guard let client = mailbox.client, let pass = sessions[tour]?.pass else { return nil }
        var run = SyncRun(
            mailbox: Mailbox(client: client, pass: pass), peer: SessionPeer(node: self, tour: tour), memory: memory)
        return Task {
            var problem: APIError?
            do throws(APIError) { try await run.run() } catch { problem = error }
            self.sessions[tour]?.sync.ended(memory: run.memory, problem, self.mailboxHost)
        }
    }

    func beginLive(of tour: TourID) -> Task<Void, Never>? {
        guard let client = mailbox.client, let pass = sessions[tour]?.pass else { return nil }
        let mailbox = Mailbox(client: client, pass: pass)
        return Task {
            var isEnd = true
            do throws(APIError) {
                try await mailbox.follow { heads in await self.receiveLive(heads, of: tour) }
            } catch {
                isEnd = false
            }
            self.sessions[tour]?.sync.endedLive(isEnd: isEnd, self.mailboxHost)
        }
    }

    private func receiveLive(_ heads: [MemberID: UInt64], of tour: TourID) {
        sessions[tour]?.sync.receiveLive(heads, mailboxHost)
    }

    /// Reports the progress of syncs from now on; the stream ends when the server changes.
    /// - Parameter asks: starts a sync, if none is in progress.
    /// - Throws: `NodeError` when no server is set.
    package func syncReports(_ tour: String?, asks: Bool) throws -> AsyncStream<SyncReport> {
        // A user without a tour may have a notebook.
        if asks { notebook.assumeIsolated { $0.requestSync() } }
        let session = try session(tour)
        guard mailbox.client != nil else { throw NodeError.noMailbox }
        return session.sync.watch(asks: asks, mailboxHost)
    }

    func endWatching(_ watcher: Int, of tour: TourID) { sessions[tour]?.sync.endWatching(watcher) }
}
