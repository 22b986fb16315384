import Foundation
import GRDB
import ServerBase

/// Executes one transaction's statements. The connection caches compiled statements.
final class SQLiteSession: SQL {
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

    func rows(_ statement: String, each values: [[SQLValue]]) throws(Failure) -> [[SQLRow]] {
        try values.map { values throws(Failure) in try rows(statement, values) }
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

    /// A row of the table `counters` gives the number.
    func nextNumber(_ name: String) throws(Failure) -> Int64 {
        let row = try row(
            """
            INSERT INTO counters (name, value) VALUES ($1, 1)
            ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value
            """, [.text(name)])
        guard let row else { throw Failure(.internalError, cause: "the counter \(name) gave no number") }
        return try row.integer(0)
    }

    func wake(_ topic: String) { topics.insert(topic) }
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
        // No column of the server's tables holds a floating-point number.
        case .double(let value): self = .text("\(value)")
        case .string(let value): self = .text(value)
        case .blob(let value): self = .bytes(Array(value))
        }
    }
}

extension Failure {
    /// An error of SQLite, with its message for the log; messages name tables and columns, never values.
    init(database error: any Error) {
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
