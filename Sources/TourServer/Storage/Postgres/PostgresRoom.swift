import Synchronization

/// Whether the disk of the database may be full. PostgreSQL does not say how much of it is free.
final class PostgresRoom: Sendable {
    private let state = Mutex(false)

    /// Whether a row was refused since there last was room.
    var isDoubtful: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Takes as much as `ServerLimits.databaseRoomMin` for the length of a transaction: a new table gets none of what
    /// deleted rows have left.
    static func take(in sql: any SQL) throws(Failure) {
        // Where the other tables are.
        try sql.run("SET LOCAL temp_tablespaces = ''", [])
        // Rows this long are not compressed.
        let rows = ServerLimits.databaseRoomMin / 1_000
        try sql.run(
            """
            CREATE TEMPORARY TABLE room ON COMMIT DROP AS
            SELECT repeat('x', 1000) AS line FROM generate_series(1, \(rows))
            """, [])
    }
}
