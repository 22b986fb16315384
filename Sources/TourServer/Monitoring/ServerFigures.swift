import Foundation
import Glibc
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourPrint

/// What `/metrics` shows beside the counters of requests: the figures of the database, the disk and the queues. What
/// cannot be found out is left out, and the rest is shown.
actor ServerFigures {
    /// What the database counts, which takes longer the more there is.
    private struct Counts {
        let accounts: Int64
        let tours: Int64
        let blobBytes: Int64
        let fileBytes: Int64
        let mailsWaiting: Int64
        let messagesUsed: (known: Double, strangers: Double, prefix: Double)
    }

    private let parts: ServerParts
    private let connectionsMax: Int
    private var counted: (at: ContinuousClock.Instant, task: Task<Counts?, Never>)?

    init(parts: ServerParts, connectionsMax: Int) {
        self.parts = parts
        self.connectionsMax = connectionsMax
    }

    /// All metrics of this process.
    func text() async -> String {
        var text = MetricsText()
        let report = await parts.readiness.report()
        text.add(
            .ready, report.causes.map { MetricsText.Sample($0.cause == nil ? 1 : 0, ["check": $0.check.rawValue]) })
        if let unread = try? parts.requests.authenticator.keys.unreadCount() { text.add(.keysUnread, unread) }
        text.add(.build, [MetricsText.Sample(1, ["version": ProgramVersion.text])])
        parts.requests.metrics.write(to: &text)
        addQueues(to: &text)
        addWrites(to: &text)
        addDatabase(try? await parts.requests.storage.figures(), to: &text)
        if let counts = await counts() {
            text.add(.accounts, counts.accounts)
            text.add(.tours, counts.tours)
            text.add(.mailsWaiting, counts.mailsWaiting)
            text.add(
                .storedBytes,
                [
                    MetricsText.Sample(Int(counts.blobBytes), ["kind": "blobs"]),
                    MetricsText.Sample(Int(counts.fileBytes), ["kind": "files"]),
                ])
            let used = counts.messagesUsed
            text.add(
                .messagesUsed,
                [
                    MetricsText.Sample(used.known, ["share": "known"]),
                    MetricsText.Sample(used.strangers, ["share": "strangers"]),
                    MetricsText.Sample(used.prefix, ["share": "prefix"]),
                ])
        }
        await addDisk(to: &text)
        ProcessFigures().write(to: &text)
        return text.text
    }

    private func addQueues(to text: inout MetricsText) {
        text.add(.connectionsMax, connectionsMax)
        text.add(.listeners, parts.requests.places.listeners.count)
        text.add(.listenersMax, ServerLimits.listenersMax)
        text.add(
            .queued,
            [
                MetricsText.Sample(parts.requests.heavy.waiting, ["queue": "heavy"]),
                MetricsText.Sample(parts.requests.passwords.queued, ["queue": "passwords"]),
                MetricsText.Sample(parts.printing.count, ["queue": "documents"]),
            ])
    }

    private func addWrites(to text: inout MetricsText) {
        let writes = parts.requests.storage.writeCounts
        text.add(.wakes, writes.wakes)
        if let told = writes.notifications {
            text.add(
                .notifications,
                [
                    MetricsText.Sample(told.sent, ["direction": "sent"]),
                    MetricsText.Sample(told.received, ["direction": "received"]),
                ])
        }
        text.add(.transactions, writes.transactions)
        text.add(.commits, writes.commits)
        text.add(.transactionsWaiting, writes.waiting)
        text.add(.retries, writes.retries)
    }

    private func addDatabase(_ figures: DatabaseFigures?, to text: inout MetricsText) {
        guard let figures else { return }
        text.add(.databaseBytes, figures.bytes)
        text.add(.databaseFreeBytes, figures.freeBytes)
        text.add(.databaseLogBytes, figures.logBytes)
        guard let pool = figures.pool else { return }
        text.add(
            .databaseConnections,
            [
                MetricsText.Sample(pool.used, ["state": "used"]), MetricsText.Sample(pool.idle, ["state": "idle"]),
            ])
        text.add(.databaseConnectionsMax, ServerLimits.databaseConnectionsMax)
    }

    private func addDisk(to text: inout MetricsText) async {
        let directory = parts.readiness.directory
        let disk = try? await BlobFile.onDisk { () throws(Failure) in
            (
                free: try directory.freeBytes(), all: try directory.diskBytes(),
                // A note that cannot be read hides nothing else.
                backup: try? ServerBackup.last(directory)
            )
        }
        guard let disk else { return }
        text.add(.diskFreeBytes, Int(clamping: disk.free))
        text.add(.diskBytes, Int(clamping: disk.all))
        text.add(.lastBackup, disk.backup)
    }

    private func counts() async -> Counts? {
        if counted == nil || counted.map({ .now - $0.at > ServerLimits.figuresInterval }) == true {
            counted = (.now, Task { [parts] in try? await Self.count(parts) })
        }
        return await counted?.task.value
    }

    private static func count(_ parts: ServerParts) async throws(Failure) -> Counts {
        let (budget, secret, now) = (parts.requests.smsBudget, parts.requests.secret, parts.requests.now())
        return try await parts.requests.storage.read { sql throws(Failure) in
            let blobs = "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM blobs WHERE is_whole = 1"
            let files = "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM notebook_files"
            return Counts(
                accounts: try sql.row("SELECT COUNT(*) FROM accounts", [])?.count(0) ?? 0,
                tours: try sql.row("SELECT COUNT(*) FROM tours", [])?.count(0) ?? 0,
                blobBytes: try sql.row(blobs, [])?.count(0) ?? 0, fileBytes: try sql.row(files, [])?.count(0) ?? 0,
                mailsWaiting: try MailRows(sql: sql, secret: secret).count(),
                messagesUsed: try budget.used(now: now, in: sql))
        }
    }
}

/// What the system says of this process.
/// Source: proc(5); Prometheus, "Writing client libraries", process metrics.
private struct ProcessFigures {
    private static let started = Date().timeIntervalSince1970

    func write(to text: inout MetricsText) {
        text.add(.processStart, [MetricsText.Sample(Self.start)])
        var usage = rusage()
        if getrusage(RUSAGE_SELF.rawValue, &usage) == 0 {
            let times = [usage.ru_utime, usage.ru_stime]
            let seconds = times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
            text.add(.processSeconds, [MetricsText.Sample(seconds)])
        }
        if let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap({ Int($0) }) {
            text.add(.processMemory, pages * sysconf(Int32(_SC_PAGESIZE)))
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            text.add(.processDescriptors, open)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.add(.processDescriptorsMax, Int(clamping: limit.rlim_cur))
        }
    }

    /// Seconds since 1970, to a hundredth.
    private static let start: Double = {
        // The words behind the name, which is in parentheses and may hold spaces: the 20th is the start since the boot.
        let text = (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)) ?? ""
        let behind = text.split(separator: ")").last?.split(separator: " ") ?? []
        let boot = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
        guard let boot, behind.count > 19, let ticks = Double(behind[19]) else { return started }
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func words(_ path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ")
    }
}
