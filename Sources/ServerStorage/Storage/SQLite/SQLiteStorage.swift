import Foundation
import GRDB
import Glibc
import ServerBase
import Synchronization

/// The storage in one SQLite file with a write-ahead log: several readers beside one writer, which commits waiting
/// transactions together.
package final class SQLiteStorage: Storage {
    private let pool: DatabasePool
    private let board = Wakeups()
    private let path: String
    /// The lock of the one process that serves.
    private let serving = Mutex<FileLock?>(nil)
    private let writer: GroupCommit
    /// Reads that have a connection or wait for one.
    private let reading = Mutex(0)

    /// Opens the file, or creates it with mode 0600; its directory must exist.
    /// - Throws: `unavailable` when the file cannot be opened or is no database.
    package init(path: String) throws(Failure) {
        self.path = path
        // SQLite gives its log and index the mode of the database file, and its owner where root opens it.
        let descriptor = OwnedFile.open(path, O_RDWR)
        guard descriptor >= 0 else {
            throw Failure(.unavailable, cause: "the database cannot be opened: \(String(cString: strerror(errno)))")
        }
        Glibc.close(descriptor)
        // If two processes opened a new file at once, one would fail on its lock: SQLite does not wait for the switch
        // to a write-ahead log.
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

    /// See `Storage.isShared`. Listeners in a second process would miss what the first one writes.
    package var isShared: Bool { false }

    /// See `Storage.beginServing`.
    package func beginServing() throws(Failure) -> Bool {
        guard let lock = try FileLock.file(path + ".lock") else {
            throw Failure(
                .alreadyServed,
                cause: "another tour-server serves from \(path) already; end it first, or give this one its own data")
        }
        serving.withLock { $0 = lock }
        return true
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "TourServer"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = ServerLimits.databaseReadersMax
        configuration.prepareDatabase { db in
            // Deleted content is overwritten, and sorting never spills into a file elsewhere.
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

    /// See `Storage.read`.
    package func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        reading.withLock { $0 += 1 }
        defer { reading.withLock { $0 -= 1 } }
        do {
            return try await pool.read { db in try work(SQLiteSession(db)) }
        } catch {
            throw Failure(database: error)
        }
    }

    /// See `Storage.lookUp`. Where a connection is free this reads on the calling thread: the way to another one and
    /// back takes several times as long as such a read.
    package func lookUp<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let isFree = reading.withLock { count in
            guard count < ServerLimits.databaseReadersMax else { return false }
            count += 1
            return true
        }
        guard isFree else { return try await read(work) }
        defer { reading.withLock { $0 -= 1 } }
        return try readNow(work)
    }

    /// Reads on the calling thread, which may block.
    func readNow<Value>(_ work: (any SQL) throws(Failure) -> Value) throws(Failure) -> Value {
        do {
            return try pool.read { db in try work(SQLiteSession(db)) }
        } catch {
            throw Failure(database: error)
        }
    }

    /// See `Storage.write`.
    package func write<Value: Sendable>(
        _ durability: Durability, _ isolation: Isolation,
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // There is one writer: every transaction sees nothing of others.
        try await writer.write(durability, work).get()
    }

    /// See `Storage.writeAlone`.
    package func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await writer.write(.durable, work).get()
    }

    /// See `Storage.writeCounts`.
    package var writeCounts: WriteCounts {
        var counts = writer.counts
        counts.wakes = board.count
        return counts
    }

    /// See `Storage.checkRoom`. The file is on the disk whose free bytes the server knows.
    package func checkRoom() {}

    /// See `Storage.figures`.
    package func figures() async throws(Failure) -> DatabaseFigures {
        reading.withLock { $0 += 1 }
        defer { reading.withLock { $0 -= 1 } }
        do {
            return try await pool.read { [path] db in
                let page = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
                let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int64
                return DatabaseFigures(bytes: pages * page, freeBytes: free * page, logBytes: log ?? 0)
            }
        } catch {
            throw Failure(database: error)
        }
    }

    /// See `Storage.wakes`.
    package func wakes(_ topic: String) -> AsyncStream<Void> { board.wakes(topic) }
    /// See `Storage.version`.
    package func version(of topic: String) -> UInt64 { board.version(of: topic) }

    /// See `Storage.snapshot`. SQLite leaves out what was deleted, and keeps no writer waiting.
    package func snapshot(to path: String, of migrations: [Migration]) async throws(Failure) {
        try await refuseNewer(than: migrations)
        do {
            try await pool.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [path])
            }
        } catch {
            throw Failure(database: error)
        }
    }

    /// Closes the database after the current work; later calls throw `unavailable`.
    package func close() throws(Failure) {
        do {
            try pool.close()
        } catch {
            throw Failure(database: error)
        }
        serving.withLock { $0 = nil }
    }
}
