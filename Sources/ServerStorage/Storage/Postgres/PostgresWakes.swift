import CPostgres
import Foundation
import Glibc
import Logging
import ServerBase
import Synchronization

/// Wakes the listeners of all processes that share a database: one connection tells the others what was committed here,
/// and hears what was committed there.
///
/// A notification is sent after the commit and apart from it: as a part of it, all commits that notify would wait for
/// one another. It is lost when the process ends in between; so listeners are woken without one, too, at long intervals
/// and whenever the connection had ended.
/// Source: PostgreSQL 15, NOTIFY.
final class PostgresWakes: Sendable {
    private struct State {
        /// Topics that the other processes do not know of yet.
        var topics: Set<String> = []
        var counts = WriteCounts.Notifications()
        var isStarted = false
        var isStopped = false
        /// Receives, once, whether this process serves alone, or why it cannot be told.
        var starting: CheckedContinuation<Result<Bool, Failure>, Never>?
        /// Resumed when the thread has ended.
        var stopping: CheckedContinuation<Void, Never>?
        var hasEnded = false
    }

    private let address: PostgresAddress
    private let board: Wakeups
    private let logger: Logger
    private let state = Mutex(State())
    /// Ends the wait of the thread.
    private let bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    /// Distinguishes this process's own notifications.
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)

    init(_ address: PostgresAddress, board: Wakeups, logger: Logger) {
        self.address = address
        self.board = board
        self.logger = logger
    }

    deinit { close(bell) }

    /// Listens from now on.
    /// - Returns: whether no other process that listens shares the database.
    /// - Throws: `unavailable`.
    func start() async throws(Failure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            state.withLock { state in
                state.isStarted = true
                state.starting = continuation
            }
            Thread { self.run() }.start()
        }
        return try result.get()
    }

    /// Notifications so far.
    var counts: WriteCounts.Notifications { state.withLock { $0.counts } }

    /// Tells the other processes, soon.
    func tell(_ topics: Set<String>) {
        guard !topics.isEmpty else { return }
        let isNew = state.withLock { state in
            guard state.isStarted, !state.isStopped else { return false }
            defer { state.topics.formUnion(topics) }
            return state.topics.isEmpty
        }
        if isNew { ring() }
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isStopped = true
                guard state.isStarted, !state.hasEnded else { return true }
                state.stopping = continuation
                return false
            }
            hasEnded ? continuation.resume() : ring()
        }
    }

    private func ring() { eventfd_write(bell, 1) }
}

// The thread that listens.
extension PostgresWakes {
    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func run() {
        var pause = ServerLimits.databaseBackoffMin
        var isFirst = true
        while !isStopped {
            do throws(Failure) {
                let connection = try open(isFirst: isFirst)
                if !isFirst { logger.notice("listening to PostgreSQL again") }
                isFirst = false
                pause = ServerLimits.databaseBackoffMin
                do throws(PostgresFault) { try follow(connection) } catch { throw error.failure }
            } catch {
                if isFirst {
                    answer(.failure(error))
                    break
                }
                if pause == ServerLimits.databaseBackoffMin {
                    logger.warning("no notifications from PostgreSQL", metadata: ["cause": "\(error)"])
                }
                wait(nil, for: pause)
                pause = min(pause * 2, ServerLimits.databaseBackoffMax)
            }
        }
        let stopping = state.withLock { state in
            state.hasEnded = true
            defer { state.stopping = nil }
            return state.stopping
        }
        stopping?.resume()
    }

    private func answer(_ result: Result<Bool, Failure>) {
        let starting = state.withLock { state in
            defer { state.starting = nil }
            return state.starting
        }
        starting?.resume(returning: result)
    }

    private func open(isFirst: Bool) throws(Failure) -> PostgresConnection {
        let connection = try PostgresConnection.open(address)
        if isFirst, connection.isOpenToReaders {
            logger.warning("what goes to PostgreSQL and back is not encrypted: add sslmode=verify-full to --database")
        }
        do throws(PostgresFault) {
            let isAlone = try Presence(connection).enter(asksWhetherAlone: isFirst)
            // Nobody waits until the disk has a notification.
            _ = try connection.run([
                PostgresCommand("SET synchronous_commit = off"), PostgresCommand("LISTEN \(channel(connection))"),
            ])
            answer(.success(isAlone))
        } catch {
            throw error.failure
        }
        // What was notified before is not known.
        board.wakeAll()
        return connection
    }

    /// Returns when the process ends.
    private func follow(_ connection: PostgresConnection) throws(PostgresFault) {
        var polled = ContinuousClock.now
        while !isStopped {
            try notify(over: connection)
            let rest = ServerLimits.wakesInterval - (ContinuousClock.now - polled)
            if rest <= .zero {
                // Also finds out whether the connection still is one.
                _ = try connection.run([PostgresCommand("SELECT 1")])
                board.wakeAll()
                polled = .now
            }
            // Those that came with the answers to commands ring nobody.
            take(try connection.notifications())
            wait(connection.descriptor, for: max(rest, .zero))
        }
        try notify(over: connection)
    }

    private func notify(over connection: PostgresConnection) throws(PostgresFault) {
        let topics = state.withLock { state in
            defer { state.topics = [] }
            return state.topics
        }
        let commands = Self.payloads(of: name, topics).map { payload in
            PostgresCommand("SELECT pg_notify($1, $2)", [.text(channelName(connection)), .text(payload)])
        }
        guard !commands.isEmpty else { return }
        do throws(PostgresFault) {
            _ = try connection.run(commands)
            state.withLock { $0.counts.sent += commands.count }
        } catch {
            // The next connection tells of them.
            state.withLock { $0.topics.formUnion(topics) }
            throw error
        }
    }

    private func take(_ payloads: [String]) {
        for payload in payloads {
            let lines = payload.split(separator: "\n")
            guard let sender = lines.first, sender != name else { continue }
            state.withLock { $0.counts.received += 1 }
            board.wake(Set(lines.dropFirst().map(String.init)))
        }
    }

    /// The sender and topics, a line each, in as few payloads as hold them.
    static func payloads(of name: String, _ topics: Set<String>) -> [String] {
        var payloads = [String]()
        var payload = name
        for topic in topics.sorted() where topic.utf8.count < ServerLimits.notificationBytesMax - name.utf8.count {
            if payload.utf8.count + 1 + topic.utf8.count > ServerLimits.notificationBytesMax {
                payloads.append(payload)
                payload = name
            }
            payload += "\n" + topic
        }
        return payload == name ? payloads : payloads + [payload]
    }

    /// Waits until the descriptor has something to read, or somebody rings.
    private func wait(_ descriptor: Int32?, for patience: Duration) {
        var places = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
        if let descriptor { places.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
        let milliseconds = patience.components.seconds * 1_000 + patience.components.attoseconds / 1_000_000_000_000_000
        poll(&places, nfds_t(places.count), Int32(clamping: milliseconds + 1))
        var count: eventfd_t = 0
        eventfd_read(bell, &count)
    }

    private func channelName(_ connection: PostgresConnection) -> String {
        PostgresChannel.name(ofSchema: connection.schema)
    }

    private func channel(_ connection: PostgresConnection) -> String {
        "\"" + channelName(connection).replacing("\"", with: "\"\"") + "\""
    }
}

/// Shows the other processes that this one serves: a lock that belongs to its listening connection.
private struct Presence {
    private let connection: PostgresConnection
    private let lock: [SQLValue]

    init(_ connection: PostgresConnection) {
        self.connection = connection
        lock = [.text("tour-server serves " + connection.schema)]
    }

    /// Takes a share of the lock.
    /// - Returns: whether nobody else had one. A process that was just killed may have one for another moment.
    func enter(asksWhetherAlone: Bool) throws(PostgresFault) -> Bool {
        let isAlone = asksWhetherAlone ? try isAlone() : false
        _ = try run("pg_advisory_lock_shared")
        if isAlone { _ = try run("pg_advisory_unlock") }
        return isAlone
    }

    private func isAlone() throws(PostgresFault) -> Bool {
        let wait = ServerLimits.presencePatience.components.seconds
        _ = try connection.run([PostgresCommand("SET lock_timeout = '\(wait)s'")])
        do throws(PostgresFault) {
            _ = try run("pg_advisory_lock")
            _ = try connection.run([PostgresCommand("SET lock_timeout = 0")])
            return true
        } catch {
            guard error.kind == .unavailable, !connection.isLost else { throw error }
            _ = try connection.run([PostgresCommand("SET lock_timeout = 0")])
            return false
        }
    }

    private func run(_ function: String) throws(PostgresFault) -> [PostgresResult] {
        try connection.run([PostgresCommand("SELECT \(function)(hashtextextended($1, 0))", lock)])
    }
}
