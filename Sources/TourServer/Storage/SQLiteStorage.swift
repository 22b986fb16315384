import Foundation
import GRDB
import Glibc

/// The storage in one SQLite file with a write-ahead log: readers beside one writer.
package final class SQLiteStorage: Storage {
    private let pool: DatabasePool
    private let board = WakeBoard()

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
        do {
            let (value, topics) = try await pool.writeWithoutTransaction { db in
                // SQLite refuses this inside a transaction.
                try db.execute(sql: "PRAGMA synchronous = \(durability == .durable ? "FULL" : "NORMAL")")
                return try db.inImmediateTransaction { session in (try work(session), session.topics) }
            }
            board.wake(topics)
            return value
        } catch {
            throw Failure(database: error)
        }
    }

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

/// One transaction's statements. Compiled statements are kept by the connection.
private final class SQLiteSession: SQL {
    private let db: Database
    private(set) var topics = Set<String>()

    init(_ db: Database) { self.db = db }

    func rows(_ statement: String, _ values: [SQLValue]) throws(Failure) -> [SQLRow] {
        do {
            let compiled = try db.cachedStatement(sql: statement)
            let cursor = try Row.fetchCursor(compiled, arguments: StatementArguments(values.map { $0.column }))
            var rows = [SQLRow]()
            while let row = try cursor.next() { rows.append(SQLRow(values: row.databaseValues.map(SQLValue.init))) }
            return rows
        } catch {
            throw Failure(database: error)
        }
    }

    func run(_ statement: String, _ values: [SQLValue]) throws(Failure) -> Int {
        do {
            try db.cachedStatement(sql: statement).execute(arguments: StatementArguments(values.map { $0.column }))
            return db.changesCount
        } catch {
            throw Failure(database: error)
        }
    }

    func run(_ statement: String, each rows: [[SQLValue]]) throws(Failure) {
        guard !rows.isEmpty else { return }
        do {
            let compiled = try db.cachedStatement(sql: statement)
            for values in rows { try compiled.execute(arguments: StatementArguments(values.map { $0.column })) }
        } catch {
            throw Failure(database: error)
        }
    }

    func wake(_ topic: String) { topics.insert(topic) }
}

extension Database {
    /// Committed unless `body` throws.
    fileprivate func inImmediateTransaction<Value>(_ body: (SQLiteSession) throws -> Value) throws -> Value {
        var result: Value?
        try inTransaction(.immediate) {
            result = try body(SQLiteSession(self))
            return .commit
        }
        guard let result else { throw Failure(.internalError, cause: "a transaction ended without a result") }
        return result
    }
}

extension SQLValue {
    fileprivate var column: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): Data(value).databaseValue
        }
    }

    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let value): self = .integer(value)
        // No column of ours holds one.
        case .double(let value): self = .text("\(value)")
        case .string(let value): self = .text(value)
        case .blob(let value): self = .bytes(Array(value))
        }
    }
}

extension Failure {
    /// What SQLite said, for the log; its messages name tables and columns, never values.
    fileprivate init(database error: any Error) {
        if let failure = error as? Failure {
            self = failure
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.unavailable, cause: "the database call was ended")
            return
        }
        let cause = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "")"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY,
            .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self.init(.unavailable, cause: cause)
        default: self.init(.internalError, cause: cause)
        }
    }
}
