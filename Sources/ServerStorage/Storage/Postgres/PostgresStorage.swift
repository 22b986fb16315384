import Glibc
import Logging
import ServerBase
import Synchronization

/// The storage in a PostgreSQL database, which several processes share: a pool of connections, transactions that are
/// run again when they collide with others, and notifications that wake listeners of every process.
package final class PostgresStorage: Storage {
    private let address: PostgresAddress
    private let pool: PostgresPool
    private let numbers = PostgresNumbers()
    private let board = Wakeups()
    private let wakes: PostgresWakes
    private let counts = Mutex(WriteCounts())
    private let room: PostgresRoom

    /// Connects at the first use.
    /// - Throws: `unavailable` when libpq is missing or the address cannot be read.
    package init(_ address: PostgresAddress, logger: Logger) throws(Failure) {
        try address.check()
        self.address = address
        room = PostgresRoom(logger: logger)
        pool = PostgresPool(address, logger: logger)
        wakes = PostgresWakes(address, board: board, logger: logger)
    }

    /// See `Storage.isShared`.
    package var isShared: Bool { true }

    /// See `Storage.read`.
    package func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await pool.run { self.transact(.reading, work).map(\.value) }.get()
    }

    /// See `Storage.lookUp`. Each statement is a transaction of its own, without a round trip for its beginning or end.
    package func lookUp<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await pool.run { self.transact(.lookingUp, work).map(\.value) }.get()
    }

    /// See `Storage.write`.
    package func write<Value: Sendable>(
        _ durability: Durability, _ isolation: Isolation,
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let done = try await pool.run { self.transact(.writing(durability, isolation), work) }.get()
        finish(done.topics)
        return done.value
    }

    /// See `Storage.writeAlone`. The lock belongs to a connection of its own, taken before the transaction begins: else
    /// the transaction would see the state from before the wait.
    package func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let done = try await pool.run {
            do throws(Failure) {
                let connection = try self.pool.connection()
                // Not given back: its end gives back the lock and its settings.
                do throws(PostgresFault) {
                    _ = try connection.run([
                        PostgresCommand("SET statement_timeout = 0"), PostgresCommand("SET lock_timeout = 0"),
                    ])
                    let lock = "SELECT pg_advisory_lock(hashtextextended($1, 0))"
                    _ = try connection.run(
                        [PostgresCommand(lock, [.text("tour-server migrates " + connection.schema)])],
                        within: ServerLimits.migrationPatience)
                } catch {
                    throw error.failure
                }
                return self.transact(.migrating, on: connection, work)
            } catch {
                return .failure(error)
            }
        }.get()
        finish(done.topics)
        return done.value
    }

    /// See `Storage.beginServing`.
    package func beginServing() async throws(Failure) -> Bool { try await wakes.start() }

    /// See `Storage.writeCounts`.
    package var writeCounts: WriteCounts {
        var counts = counts.withLock { $0 }
        counts.waiting = pool.waiting
        counts.wakes = board.count
        counts.notifications = wakes.counts
        return counts
    }

    /// See `Storage.checkRoom`.
    package func checkRoom() async throws(Failure) {
        guard room.isDoubtful else { return }
        let isKnown = try await write(.relaxed, .statements) { sql throws(Failure) in try PostgresRoom.take(in: sql) }
        room.settle(isKnown: isKnown)
    }

    /// See `Storage.figures`.
    package func figures() async throws(Failure) -> DatabaseFigures {
        let bytes = try await read { sql throws(Failure) in
            try sql.row("SELECT pg_database_size(current_database())", [])?.count(0)
        }
        return DatabaseFigures(bytes: bytes ?? 0, pool: pool.connections)
    }

    /// See `Storage.wakes`.
    package func wakes(_ topic: String) -> AsyncStream<Void> { board.wakes(topic) }
    /// See `Storage.version`.
    package func version(of topic: String) -> UInt64 { board.version(of: topic) }

    /// Closes all connections after the current work; later calls throw `unavailable`.
    package func close() async throws(Failure) {
        await wakes.stop()
        await pool.close()
    }

    /// Listeners of this process are woken here, those of others by the database.
    private func finish(_ topics: Set<String>) {
        board.wake(topics)
        wakes.tell(topics)
    }
}

// Everything here runs on a thread of the pool.
extension PostgresStorage {
    private struct Done<Value: Sendable>: Sendable {
        let value: Value
        let topics: Set<String>
    }

    private enum Outcome<Value: Sendable> {
        case done(Done<Value>)
        case failed(Failure)
        case fault(PostgresFault)
    }

    /// Runs one transaction, again and again while others are in its way.
    /// - Parameter own: the connection; nil: any of the pool.
    private func transact<Value: Sendable>(
        _ transaction: PostgresTransaction, on own: PostgresConnection? = nil,
        _ work: (any SQL) throws(Failure) -> Value
    ) -> Result<Done<Value>, Failure> {
        var retries = PostgresRetries()
        while true {
            let connection: PostgresConnection
            do throws(Failure) {
                connection = if let own { own } else { try pool.connection() }
            } catch {
                return .failure(error)
            }
            let (outcome, isSound) = attempt(transaction, on: connection, work)
            if own == nil { isSound ? pool.giveBack(connection) : pool.drop(connection) }
            switch outcome {
            case .done(let done): return .success(done)
            case .failed(let failure): return .failure(failure)
            case .fault(let fault):
                if fault.kind == .full { room.isDoubtful = true }
                guard own == nil || isSound, let pause = retries.pause(after: fault) else {
                    return .failure(fault.failure)
                }
                counts.withLock { $0.retries += 1 }
                usleep(UInt32(clamping: pause.components.attoseconds / 1_000_000_000_000))
            }
        }
    }

    /// - Returns: how it ended, and whether the connection can be used further.
    private func attempt<Value: Sendable>(
        _ transaction: PostgresTransaction, on connection: PostgresConnection,
        _ work: (any SQL) throws(Failure) -> Value
    ) -> (Outcome<Value>, isSound: Bool) {
        let session = PostgresSession(
            connection, numbers: numbers, beginning: transaction.beginning, patience: transaction.patience)
        let value: Value
        do throws(Failure) {
            value = try work(session)
        } catch {
            let isSound = session.rollBack()
            // What the database said counts more than what became of it.
            guard let fault = session.fault else { return (.failed(error), isSound) }
            return (.fault(fault), isSound && fault.kind != .stale)
        }
        if let fault = session.fault { return (.fault(fault), session.rollBack()) }
        do throws(PostgresFault) {
            try session.commit()
        } catch {
            guard error.kind != .lost else {
                let cause = "whether the transaction was committed is not known: \(error.cause)"
                return (.failed(Failure(.unavailable, retryAfter: 1, cause: cause)), false)
            }
            // A commit that fails has undone the transaction, and ended it.
            return (.fault(error), !connection.isLost)
        }
        numbers.add(session.made)
        if session.hasBegun, transaction.isWrite {
            counts.withLock { counts in
                counts.transactions += 1
                counts.commits += 1
            }
        }
        return (.done(Done(value: value, topics: session.topics)), true)
    }
}
