import TourCrypto
import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourWire

/// The syncs of one tour with the server: when the next one is due, how the last one ended, who watches, and which
/// events the server holds. Source: `Protocol/09-mailbox.md`.
///
/// Used on the node's loop alone.
package final class TourSync {
    private let tour: TourID
    private let server: ServerHeads
    private var plan = SyncPlan()
    private var memory = SyncMemory()
    /// The sync in progress.
    private var task: Task<Void, Never>?
    /// Follows the server's live stream.
    private var live: Task<Void, Never>?
    private var progress = SyncProgress()
    /// Why the last sync failed; nil if it went well.
    package private(set) var problem: APIError?
    /// When the last sync ended.
    private var endedAt: Instant?
    /// The server's time of its last answer, in milliseconds since 1970.
    package private(set) var answeredAt: Int64?
    /// When that answer arrived, by our clock.
    private var answerArrivedAt: Instant?
    /// How many events were stored at the last check for new ones.
    private var seenTotal: UInt64 = 0
    private var seenOwn: UInt64 = 0
    private var watchers: [Int: AsyncStream<SyncReport>.Continuation] = [:]
    private var nextWatcher = 0

    /// For this long after a successful sync a new address is no reason for another one.
    package static let freshTime: Duration = .seconds(30)
    private static let reportsMax = 64

    package init(tour: TourID) {
        self.tour = tour
        server = ServerHeads(tour: tour)
    }

    // MARK: What the server holds

    /// How far the server is known to have each log, by anybody's word.
    package var known: [MemberID: UInt64] { server.known }

    /// How far the server says itself that it has this log.
    package func confirmed(_ author: MemberID) -> UInt64 { server.confirmed[author] ?? 0 }

    /// Continues with what was stored before the start.
    /// - Parameters:
    ///   - known: by anybody's word.
    ///   - confirmed: by the server's own.
    package func restore(known: [MemberID: UInt64], confirmed: [MemberID: UInt64]) {
        server.restore(known: known, confirmed: confirmed)
    }

    /// Events stored here that no server is known to have.
    package func unsynced(in stored: Frontier) -> UInt64 {
        stored.heads.reduce(0) { sum, head in
            let known = server.known[head.key] ?? 0
            return sum + (head.value > known ? head.value - known : 0)
        }
    }

    /// Whether the server lacks events that this node would push.
    private func isServerBehind(_ facts: SyncFacts) -> Bool {
        facts.heads.contains { author, last in
            let confirmed = confirmed(author)
            return last > confirmed && !memory.isBlocked(author, through: confirmed)
        }
    }

    /// The server's answer: how far it has the logs.
    /// - Parameter time: its own, milliseconds since 1970.
    package func receive(_ heads: [MemberID: UInt64], at time: Int64, _ host: some MailboxHost) {
        guard let facts = host.facts(of: tour) else { return }
        answeredAt = time
        answerArrivedAt = host.now
        server.record(heads, at: time, by: nil, facts, host)
        host.confirmHeld(through: heads[facts.own] ?? 0, in: tour)
    }

    /// What `MailboxHost.store` was given is on the disk, or could not be stored.
    package func stored(
        _ heads: [MemberID: UInt64], after before: [MemberID: UInt64], _ host: some MailboxHost
    ) { server.stored(heads, after: before, host) }

    /// Rows of members about the server.
    package func receive(_ rows: [ClaimRow], from link: LinkID, _ host: some MailboxHost) {
        server.receive(rows, from: link, host)
    }

    /// Once a second, with a server or without: signs a new row if there is news, and sends new links the known rows.
    package func sendRows(now: Instant, _ host: some MailboxHost) {
        server.sendRows(answeredAt: answeredAt, now: now, host)
    }

    // MARK: When to sync

    /// The user asks for a sync.
    package func request(_ host: some MailboxHost) { schedule(for: .asked, host) }

    /// This machine got an address or a route. Routers renew addresses again and again.
    package func networkArrived(_ host: some MailboxHost) {
        guard let facts = host.facts(of: tour) else { return }
        let isFresh = endedAt.map { host.now - $0 < Self.freshTime } ?? false
        if !isFresh || problem != nil { schedule(for: .network(members: facts.roster.members.count), host) }
    }

    /// Once a second, while there is a server.
    package func tick(now: Instant, _ host: some MailboxHost) {
        if let facts = host.facts(of: tour) { reviewStored(facts, host) }
        if task == nil, let due = plan.due, due <= now { begin(host) }
    }

    /// Checks whether any event was stored, whatever its origin.
    private func reviewStored(_ facts: SyncFacts, _ host: some MailboxHost) {
        let total = facts.stored.heads.values.reduce(0, +)
        guard total != seenTotal else { return }
        let isOwn = facts.stored[facts.own] != seenOwn
        seenTotal = total
        seenOwn = facts.stored[facts.own]
        guard isServerBehind(facts), problem?.waitsForTime != true else { return }
        schedule(for: isOwn ? .written : .received(members: facts.roster.members.count), host)
    }

    private func schedule(for reason: SyncPlan.Reason, _ host: some MailboxHost) {
        plan.schedule(for: reason, now: host.now, using: &host.rng)
    }

    // MARK: One sync

    /// Whether a sync is in progress.
    package var isRunning: Bool { task != nil }

    private func begin(_ host: some MailboxHost) {
        guard let task = host.beginSync(of: tour, from: memory) else { return }
        self.task = task
        plan.began()
        progress = SyncProgress()
        report(host)
    }

    /// How far the sync has come.
    package func record(_ progress: SyncProgress, _ host: some MailboxHost) {
        self.progress = progress
        report(host)
    }

    /// - Parameter memory: for the next sync.
    package func ended(memory: SyncMemory, _ problem: APIError?, _ host: some MailboxHost) {
        task = nil
        self.memory = memory
        self.problem = problem
        endedAt = host.now
        var pause: Duration?
        if case .http(_, _, let retryAfter)? = problem { pause = retryAfter }
        plan.ended(pause: pause, now: host.now, using: &host.rng)
        if let problem {
            host.report(problem, of: tour)
        } else {
            listen(host)
            host.syncSucceeded()
        }
        if progress.pulled + progress.pushed > 0 { host.scheduleMemoryRelease() }
        report(host)
        sendRows(now: host.now, host)
    }

    /// The server changes or the node stops: cancels everything, and ends all watching.
    /// - Returns: what has to be awaited.
    package func stop() -> [Task<Void, Never>] {
        let tasks = [task, live].compactMap { $0 }
        for task in tasks { task.cancel() }
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
        return tasks
    }

    /// The next server knows nothing of what this one said.
    package func forgetServer() { memory = SyncMemory() }

    // MARK: The live stream

    /// Follows the server's live stream after a successful sync, until the server or the network ends it.
    private func listen(_ host: some MailboxHost) {
        guard live == nil, host.hasServer else { return }
        live = host.beginLive(of: tour)
    }

    /// - Parameter heads: the heads that rose; none: the stream has begun, and events may have arrived just before.
    package func receiveLive(_ heads: [MemberID: UInt64], _ host: some MailboxHost) {
        guard let facts = host.facts(of: tour), heads.isEmpty || !facts.behind(heads).isEmpty else { return }
        schedule(for: .told(members: facts.roster.members.count), host)
    }

    /// A stream that the server ended normally begins again after the next sync, which follows soon.
    package func endedLive(isEnd: Bool, _ host: some MailboxHost) {
        live = nil
        guard isEnd, host.hasServer, let facts = host.facts(of: tour) else { return }
        schedule(for: .received(members: facts.roster.members.count), host)
    }

    // MARK: Watching

    /// Reports the progress of syncs from now on; the stream ends when the server changes.
    /// - Parameter asks: starts a sync, if none is in progress.
    package func watch(asks: Bool, _ host: some MailboxHost) -> AsyncStream<SyncReport> {
        let (stream, source) = AsyncStream.makeStream(
            of: SyncReport.self, bufferingPolicy: .bufferingNewest(Self.reportsMax))
        let id = nextWatcher
        nextWatcher += 1
        watchers[id] = source
        source.onTermination = { [ends = host.watchingEnd(id, of: tour)] _ in ends() }
        if asks, task == nil {
            begin(host)
        } else if let report = currentReport(host) {
            source.yield(report)
        }
        return stream
    }

    /// Nobody reads this watcher's reports any more.
    package func endWatching(_ watcher: Int) { watchers[watcher] = nil }

    private func report(_ host: some MailboxHost) {
        guard !watchers.isEmpty, let report = currentReport(host) else { return }
        for watcher in watchers.values { watcher.yield(report) }
    }

    private func currentReport(_ host: some MailboxHost) -> SyncReport? {
        guard let facts = host.facts(of: tour) else { return nil }
        let problem = isRunning ? nil : problem
        return SyncReport(
            state: isRunning ? .syncing : problem == nil ? .synced : .failed, percent: percent,
            pulled: progress.pulled, pushed: progress.pushed, total: progress.pullTotal + progress.pushTotal,
            unsynced: unsynced(in: facts.stored), refused: memory.refused.count, problem: problem)
    }

    /// 0 to 100; 0 until a sync knows how much there is to do.
    private var percent: Int { isRunning && progress == SyncProgress() ? 0 : progress.percent }

    /// How the tour stands with the server.
    package func standing(now: Instant) -> SyncStanding {
        SyncStanding(
            isRunning: isRunning, problem: problem, answeredAt: answeredAt,
            secondsSinceAnswer: answerArrivedAt.map { Int((now - $0).microseconds / 1_000_000) }, percent: percent,
            refused: memory.refused)
    }
}
