import Logging
import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourStore
import TourWords

// The server: which one, and when each tour syncs with it. Source: `Protocol/09-mailbox.md`.
extension TourNode {
    private static let baseSetting = "mailbox-base"
    private static let authoritySetting = "mailbox-authority"

    /// Uses the server that the settings name, or the stored one.
    /// - Throws: `APIError.invalidURL`.
    func openMailbox() async throws {
        if let given = settings.mailbox {
            try keepMailbox(given == "off" ? nil : MailboxBase(given), authority: settings.mailboxAuthority)
        }
        guard let text = try storedText(Self.baseSetting) else { return }
        do {
            try await openMailbox(at: MailboxBase(text))
        } catch  where settings.mailbox == nil {
            // An unusable address that an earlier run stored must not keep the node from starting.
            logger.warning("the server kept from before cannot be used", metadata: ["error": "\(error)"])
        }
    }

    private func storedText(_ setting: String) throws -> String? {
        try store.setting(setting).map { String(decoding: $0, as: UTF8.self) }
    }

    private func keepMailbox(_ base: MailboxBase?, authority: String?) throws {
        try store.setSetting(Self.baseSetting, value: base.map { Array($0.description.utf8) })
        if base == nil || authority != nil {
            try store.setSetting(Self.authoritySetting, value: authority.map { Array($0.utf8) })
        }
    }

    /// Changes the server while the node runs.
    func setMailbox(_ text: String) async throws {
        let base = try MailboxBase(text)
        guard mailboxState?.client.base != base else { return }
        try keepMailbox(base, authority: nil)
        await closeMailbox()
        for session in sessions.values {
            session.sync.memory = SyncMemory()
            session.files.online.forget()
        }
        try await openMailbox(at: base)
    }

    private func openMailbox(at base: MailboxBase) async throws {
        let authority = try storedText(Self.authoritySetting)
        let client = APIClient(
            base: base, transport: try CurlTransport(authority: authority),
            tokens: SealedTokens(store: store), now: { NodeClock.now },
            wallMilliseconds: { NodeClock.wallMilliseconds })
        mailboxState = MailboxState(client: client)
        connectNotebook(to: client)
        do {
            let watch = try await NetworkWatch(loop: loop) { [weak self] in
                self?.assumeIsolated { $0.networkArrived() }
            }
            mailboxState?.watch = watch
        } catch {
            logger.warning("the kernel does not tell of networks: syncs go by time", metadata: ["error": "\(error)"])
        }
        networkArrived()
    }

    /// The notebook knows nothing else of the node.
    private func connectNotebook(to client: APIClient) {
        let server = NodeNotebook.Server(
            client: client, freshTime: Self.freshTime,
            count: { [weak self] fault in self?.assumeIsolated { $0.count(fault) } },
            scheduleMemoryRelease: { [weak self] in self?.assumeIsolated { $0.scheduleMemoryRelease() } })
        notebook.assumeIsolated { $0.connect(to: server) }
    }

    func closeMailbox() async {
        guard let desk = mailboxState else { return }
        mailboxState = nil
        desk.watch?.close()
        await notebook.disconnect()
        let tasks = sessions.values.flatMap { [$0.sync.task, $0.sync.live].compactMap { $0 } }
        for task in tasks { task.cancel() }
        for session in sessions.values {
            session.files.online.stop()
            for watcher in session.sync.watchers.values { watcher.finish() }
            session.sync.watchers = [:]
        }
        for task in tasks { await task.value }
        await desk.client.close()
    }

    private func networkArrived() {
        guard let client = mailboxState?.client else { return }
        Task { await client.networkChanged() }
        notebook.assumeIsolated { $0.scheduleSync() }
        let now = NodeClock.now
        for session in sessions.values {
            // Routers renew addresses again and again.
            let isFresh = session.sync.endedAt.map { now - $0 < Self.freshTime } ?? false
            guard !isFresh || session.sync.problem != nil else { continue }
            session.sync.plan.schedule(
                for: .network(members: session.group.roster.members.count), now: now, using: &rng)
        }
    }

    /// For this long after a successful sync a new address is no reason for another one.
    private static let freshTime: Duration = .seconds(30)

    /// By then the events of a sync are shown, stored and passed on, and its connections are closed.
    private static let restTime: Duration = .seconds(10)

    /// Requests to the server use memory, which is released later.
    func scheduleMemoryRelease() { mailboxState?.releaseAt = NodeClock.now + Self.restTime }

    /// Releases the memory of a sync: the next one may be far away.
    private func releaseAfterSync(now: Instant) {
        guard let due = mailboxState?.releaseAt, due <= now, sessions.values.allSatisfy({ $0.sync.task == nil }) else {
            return
        }
        mailboxState?.releaseAt = nil
        reader.submit { [store] in
            store.releaseMemory()
            return {}
        }
    }

    /// Once a second.
    func tickMailbox(now: Instant) {
        sendSynced(now: now)
        guard mailboxState != nil, !isStopping else { return }
        releaseAfterSync(now: now)
        notebook.assumeIsolated { $0.tick(now: now) }
        for session in sessions.values where session.isMember {
            noticeUnsynced(session, now: now)
            if session.sync.task == nil, let due = session.sync.plan.due, due <= now { beginSync(session) }
        }
    }

    /// Checks whether any event was stored, whatever its origin.
    private func noticeUnsynced(_ session: TourSession, now: Instant) {
        let stored = session.gossip.stored
        let total = stored.heads.values.reduce(0, +)
        guard total != session.sync.seenTotal else { return }
        let isOwn = stored[session.own] != session.sync.seenOwn
        session.sync.seenTotal = total
        session.sync.seenOwn = stored[session.own]
        guard session.lacksAtServer, session.sync.problem?.waitsForTime != true else { return }
        let members = session.group.roster.members.count
        session.sync.plan.schedule(for: isOwn ? .written : .received(members: members), now: now, using: &rng)
    }

    private func beginSync(_ session: TourSession) {
        guard let client = mailboxState?.client else { return }
        session.sync.plan.began()
        session.sync.progress = SyncProgress()
        let tour = session.tour
        let mailbox = Mailbox(client: client, pass: MemberPass(tour: tour, identity: session.keys.identity))
        var run = SyncRun(mailbox: mailbox, peer: SessionPeer(node: self, tour: tour), memory: session.sync.memory)
        session.sync.task = Task {
            var problem: APIError?
            do throws(APIError) { try await run.run() } catch { problem = error }
            self.endedSync(tour, memory: run.memory, problem)
        }
        report(session)
    }

    private func endedSync(_ tour: TourID, memory: SyncMemory, _ problem: APIError?) {
        guard let session = sessions[tour] else { return }
        session.sync.task = nil
        session.sync.memory = memory
        session.sync.problem = problem
        session.sync.endedAt = NodeClock.now
        var pause: Duration?
        if case .http(_, _, let retryAfter)? = problem { pause = retryAfter }
        session.sync.plan.ended(pause: pause, now: NodeClock.now, using: &rng)
        if problem == nil {
            listen(session)
            notebook.assumeIsolated { $0.retrySync() }
        }
        if session.sync.progress.pulled + session.sync.progress.pushed > 0 { scheduleMemoryRelease() }
        if let problem {
            logger.debug("sync failed", metadata: ["tour": "\(tour)", "code": "\(problem.code)"])
        }
        report(session)
        sendSynced(now: NodeClock.now)
    }

    // MARK: Listening

    /// Follows the server's live stream after a successful sync, until the server or the network ends it.
    private func listen(_ session: TourSession) {
        guard let client = mailboxState?.client, session.sync.live == nil, !isStopping else { return }
        let tour = session.tour
        let mailbox = Mailbox(client: client, pass: MemberPass(tour: tour, identity: session.keys.identity))
        session.sync.live = Task {
            var isEnd = true
            do throws(APIError) {
                try await mailbox.follow { heads in await self.receiveLive(heads, tour) }
            } catch {
                isEnd = false
            }
            self.endedLive(tour, isEnd: isEnd)
        }
    }

    /// - Parameter heads: the heads that rose; none: the stream has begun, and events may have arrived just before.
    private func receiveLive(_ heads: [MemberID: UInt64], _ tour: TourID) {
        guard let session = sessions[tour] else { return }
        guard heads.isEmpty || !syncBehind(heads, tour).isEmpty else { return }
        session.sync.plan.schedule(
            for: .told(members: session.group.roster.members.count), now: NodeClock.now, using: &rng)
    }

    /// A stream that the server ended normally begins again after the next sync, which follows soon.
    private func endedLive(_ tour: TourID, isEnd: Bool) {
        guard let session = sessions[tour] else { return }
        session.sync.live = nil
        guard isEnd, mailboxState != nil else { return }
        session.sync.plan.schedule(
            for: .received(members: session.group.roster.members.count), now: NodeClock.now, using: &rng)
    }

    // MARK: Watching

    /// Reports the progress of syncs from now on; the stream ends when the server changes.
    /// - Parameter asks: starts a sync, if none is in progress.
    /// - Throws: `NodeError` when no server is set.
    package func syncReports(_ tour: String?, asks: Bool) throws -> AsyncStream<SyncReport> {
        // A user without a tour may have a notebook.
        if asks { notebook.assumeIsolated { $0.requestSync() } }
        let session = try session(tour)
        guard mailboxState != nil else { throw NodeError.noMailbox }
        let (stream, source) = AsyncStream.makeStream(of: SyncReport.self, bufferingPolicy: .bufferingNewest(64))
        let id = session.sync.nextWatcher
        session.sync.nextWatcher += 1
        session.sync.watchers[id] = source
        let tour = session.tour
        source.onTermination = { [weak self] _ in
            guard let self else { return }
            Task { await self.endWatching(id, tour) }
        }
        if asks, session.sync.task == nil { beginSync(session) } else { source.yield(syncReport(of: session)) }
        return stream
    }

    private func endWatching(_ id: Int, _ tour: TourID) { sessions[tour]?.sync.watchers[id] = nil }

    func report(_ session: TourSession) {
        guard !session.sync.watchers.isEmpty else { return }
        let report = syncReport(of: session)
        for watcher in session.sync.watchers.values { watcher.yield(report) }
    }

    private func syncReport(of session: TourSession) -> SyncReport {
        let sync = session.sync
        let isRunning = sync.task != nil
        let problem = isRunning ? nil : sync.problem.map { SyncReport.Problem($0) }
        return SyncReport(
            state: isRunning ? .syncing : problem == nil ? .synced : .failed, percent: sync.percent,
            pulled: sync.progress.pulled, pushed: sync.progress.pushed,
            total: sync.progress.pullTotal + sync.progress.pushTotal, unsynced: session.unsynced,
            refused: sync.memory.refused.count, problem: problem)
    }
}
