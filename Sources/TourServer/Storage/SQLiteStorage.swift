import Foundation
import GRDB
import Glibc

/// The storage in one SQLite file with a write-ahead log: readers beside one writer, which commits for all who wait.
package final class SQLiteStorage: Storage {
    private let pool: DatabasePool
    private let board = WakeBoard()
    private let writer: GroupCommit

    /// Opens the file, or makes it with mode 0600; its directory must exist.
    /// - Throws: `unavailable` when it cannot be opened or is no database.
    package init(path: String) throws(Failure) {
        // SQLite gives its log and index the mode of the database.
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(.unavailable, cause: "the database cannot be opened: \(String(cString: strerror(errno)))")
        }
        Glibc.close(descriptor)
        // Of two processes that open a new file at once one would find it locked: that it gets its log of writes is
        // nothing that SQLite waits for.
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let lock = try FileLock.folder(String(folder))
        defer { withExtendedLifetime(lock) {} }
        do {
            pool = try DatabasePool(path: path, configuration: Self.configuration)
        } catch {
            throw Failure(database: error)
        }
        let board = board
        writer = GroupCommit(pool: pool) { board.wake($0) }
    }

    /// For the process that serves from this file: the others' listeners would not hear what it writes.
    /// - Throws: `alreadyServed`.
    static func lockToServe(_ path: String) throws(Failure) -> FileLock {
        guard let lock = try FileLock.file(path + ".lock") else {
            throw Failure(
                .alreadyServed,
                cause: "another tour-server serves from \(path) already; end it first, or give this one its own data")
        }
        return lock
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "TourServer"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = ServerLimits.databaseReadersMax
        configuration.prepareDatabase { db in
            // What was deleted is overwritten; sorting never spills into a file elsewhere.
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA journal_size_limit = 16777216;
                    """)
        }
        return configuration
    }

    package func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await pool.read { db in try work(SQLiteSession(db)) }
        } catch {
            throw Failure(database: error)
        }
    }

    package func write<Value: Sendable>(
        _ durability: Durability, _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await writer.write(durability, work).get()
    }

    package var writeCounts: WriteCounts { writer.counts }

    package func wakes(_ topic: String) -> AsyncStream<Void> { board.wakes(topic) }
    package func version(of topic: String) -> UInt64 { board.version(of: topic) }

    /// Waits for the work under way; later calls throw `unavailable`.
    package func close() throws(Failure) {
        do {
            try pool.close()
        } catch {
            throw Failure(database: error)
        }
    }
}
