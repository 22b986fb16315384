import Glibc
import Logging
import NIOPosix
import ServerBase
import Synchronization

/// The connections of one process, each used by one thread at a time. There are as many threads as connections, so work
/// waits for a thread and never for a connection.
final class PostgresPool: Sendable {
    /// A time in which the database could not be reached.
    private struct Outage {
        let begun: ContinuousClock.Instant
        var failure: Failure
        var pause = ServerLimits.databaseBackoffMin
        var next: ContinuousClock.Instant
        /// Whether a thread is trying to connect.
        var isTried = false
    }

    private struct State {
        var idle: [PostgresConnection] = []
        var outage: Outage?
        var waiting = 0
        /// Work that is on a thread now: it has a connection, or is about to.
        var running = 0
        var isClosed = false
    }

    private enum Step {
        case take(PostgresConnection)
        case connect
        case wait(until: ContinuousClock.Instant)
        case fail(Failure)
    }

    private let address: PostgresAddress
    private let logger: Logger
    private let threads = NIOThreadPool(numberOfThreads: ServerLimits.databaseConnectionsMax)
    private let state = Mutex(State())

    init(_ address: PostgresAddress, logger: Logger) {
        self.address = address
        self.logger = logger
        threads.start()
    }

    // A command that ends without closing the storage keeps no thread.
    deinit { threads.shutdownGracefully { _ in } }

    /// Work that waits for a thread.
    var waiting: Int { state.withLock { $0.waiting } }

    /// The connections in use, and the others.
    var connections: DatabaseFigures.Pool {
        state.withLock { DatabaseFigures.Pool(used: $0.running, idle: $0.idle.count) }
    }

    /// Runs blocking work on a thread of the pool.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Result<Value, Failure>
    ) async -> Result<Value, Failure> {
        let isTooMuch = state.withLock { state in
            guard state.waiting < ServerLimits.databaseWaitingMax else { return true }
            state.waiting += 1
            return false
        }
        guard !isTooMuch else {
            return .failure(Failure(.unavailable, retryAfter: 1, cause: "too much waits for PostgreSQL"))
        }
        return await withCheckedContinuation { continuation in
            threads.submit { standing in
                self.state.withLock { state in
                    state.waiting -= 1
                    state.running += 1
                }
                defer { self.state.withLock { $0.running -= 1 } }
                guard case .active = standing else {
                    return continuation.resume(returning: .failure(Self.closed))
                }
                continuation.resume(returning: work())
            }
        }
    }

    /// A connection for the calling thread of the pool, which gives it back or drops it. While the database cannot be
    /// reached it waits a little, and then fails at once, but for one thread that tries again.
    /// - Throws: `unavailable`.
    func connection() throws(Failure) -> PostgresConnection {
        while true {
            switch nextStep() {
            case .take(let connection): return connection
            case .fail(let failure): throw failure
            case .wait(let moment): sleep(until: moment)
            case .connect: if let connection = connect() { return connection }
            }
        }
    }

    func giveBack(_ connection: PostgresConnection) {
        guard !connection.isLost else { return drop(connection) }
        state.withLock { state in
            // Otherwise released here, outside of the lock.
            if !state.isClosed { state.idle.append(connection) }
        }
    }

    /// Drops a connection that ended, and the idle ones with it: what ended it most likely ended them too.
    func drop(_ connection: PostgresConnection) {
        let dropped = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime((dropped, connection)) {}
    }

    func close() async {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
        try? await threads.shutdownGracefully()
    }

    private func nextStep() -> Step {
        state.withLock { state in
            guard !state.isClosed else { return .fail(Self.closed) }
            // The one that was used last: its memory is warm.
            if let connection = state.idle.popLast() { return .take(connection) }
            guard let outage = state.outage else { return .connect }
            let now = ContinuousClock.now
            guard outage.isTried || now < outage.next else {
                state.outage?.isTried = true
                return .connect
            }
            let end = outage.begun + ServerLimits.outagePatience
            guard now < end else { return .fail(outage.failure) }
            return .wait(until: min(now + ServerLimits.databaseBackoffMin, end))
        }
    }

    /// - Returns: nil when the database cannot be reached now.
    private func connect() -> PostgresConnection? {
        do throws(Failure) {
            let connection = try PostgresConnection.open(address)
            let outage = state.withLock { state in
                defer { state.outage = nil }
                return state.outage
            }
            if let outage {
                logger.notice("PostgreSQL is back", metadata: ["after": "\(ContinuousClock.now - outage.begun)"])
            }
            return connection
        } catch {
            let isNew = state.withLock { state in
                let now = ContinuousClock.now
                guard var outage = state.outage else {
                    state.outage = Outage(
                        begun: now, failure: error, next: now + ServerLimits.databaseBackoffMin)
                    return true
                }
                outage.failure = error
                outage.pause = min(outage.pause * 2, ServerLimits.databaseBackoffMax)
                outage.next = now + outage.pause
                outage.isTried = false
                state.outage = outage
                return false
            }
            if isNew { logger.error("PostgreSQL cannot be reached", metadata: ["cause": "\(error)"]) }
            return nil
        }
    }

    private func sleep(until moment: ContinuousClock.Instant) {
        let rest = moment - .now
        guard rest > .zero else { return }
        usleep(UInt32(clamping: rest.components.attoseconds / 1_000_000_000_000))
    }

    private static let closed = Failure(.unavailable, cause: "the database is closed")
}
