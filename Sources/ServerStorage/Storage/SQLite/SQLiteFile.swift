import GRDB
import ServerBase

/// An SQLite file from which no server serves and which has no log beside it: a snapshot, written once and then read.
package struct SQLiteFile: Sendable {
    private let queue: DatabaseQueue

    /// Opens the file, which stays as it is.
    /// - Throws: `unavailable` when the file cannot be opened or is no database.
    package init(reading path: String) throws(Failure) {
        var configuration = Configuration()
        configuration.label = "TourServer.snapshot"
        configuration.readonly = true
        queue = try Self.open(path, configuration)
    }

    /// Opens a new database to fill it: its content survives a power cut only once the caller has flushed the file.
    /// - Throws: `unavailable`.
    init(filling path: String) throws(Failure) {
        var configuration = Configuration()
        configuration.label = "TourServer.snapshot"
        configuration.foreignKeysEnabled = false
        queue = try Self.open(path, configuration)
        do {
            try queue.writeWithoutTransaction { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                try db.execute(sql: "PRAGMA synchronous = OFF")
            }
        } catch {
            throw Failure(database: error)
        }
    }

    private static func open(_ path: String, _ configuration: Configuration) throws(Failure) -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw Failure(database: error)
        }
    }

    /// Reads on the calling thread.
    package func read<Value>(_ work: (any SQL) throws(Failure) -> Value) throws(Failure) -> Value {
        do {
            return try queue.read { db in try work(SQLiteSession(db)) }
        } catch {
            throw Failure(database: error)
        }
    }

    /// Runs one transaction on the calling thread, which an error of `work` undoes as a whole.
    func write<Value>(_ work: (any SQL) throws(Failure) -> Value) throws(Failure) -> Value {
        do {
            return try queue.write { db in try work(SQLiteSession(db)) }
        } catch {
            throw Failure(database: error)
        }
    }

    /// The tables of the schema with their columns.
    package func tables() throws(Failure) -> [(table: String, columns: [String])] {
        try read { sql throws(Failure) in
            let found = try sql.rows(
                """
                SELECT tables.name, columns.name FROM sqlite_master AS tables
                JOIN pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' ORDER BY tables.name, columns.cid
                """, [])
            var tables = [(table: String, columns: [String])]()
            for row in found {
                let (table, column) = (try row.text(0), try row.text(1))
                if tables.last?.table != table { tables.append((table, [])) }
                tables[tables.count - 1].columns.append(column)
            }
            return tables
        }
    }

    /// - Throws: `unavailable`.
    package func close() throws(Failure) {
        do {
            try queue.close()
        } catch {
            throw Failure(database: error)
        }
    }
}
