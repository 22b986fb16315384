import Logging
import ServerBase
import Synchronization

/// Whether the disk of the database may be full. PostgreSQL does not say how much of it is free.
final class PostgresRoom: Sendable {
    private let state = Mutex((isDoubtful: false, hasSaid: false))
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Whether a row was refused since there last was room.
    var isDoubtful: Bool {
        get { state.withLock { $0.isDoubtful } }
        set { state.withLock { $0.isDoubtful = newValue } }
    }

    /// Ends the doubt.
    /// - Parameter isKnown: whether there is room; else nobody can tell, which the log says once.
    func settle(isKnown: Bool) {
        let isNews = state.withLock { state in
            defer { state = (false, state.hasSaid || !isKnown) }
            return !isKnown && !state.hasSaid
        }
        guard isNews else { return }
        logger.warning(
            "PostgreSQL was full, and whether it has room again is not known: GRANT TEMPORARY ON DATABASE … TO …")
    }

    /// Takes as much as `ServerLimits.databaseRoomMin` for the length of a transaction: a new table gets none of what
    /// deleted rows have left.
    /// - Returns: false where the server's user may not.
    /// - Throws: `unavailable` while the disk is full.
    static func take(in sql: any SQL) throws(Failure) -> Bool {
        let right = "SELECT CASE WHEN has_database_privilege(current_database(), 'TEMPORARY') THEN 1 ELSE 0 END"
        guard try sql.row(right, [])?.integer(0) == 1 else { return false }
        // Where the other tables are.
        try sql.run("SET LOCAL temp_tablespaces = ''", [])
        // Rows this long are not compressed.
        let rows = ServerLimits.databaseRoomMin / 1_000
        try sql.run(
            """
            CREATE TEMPORARY TABLE room ON COMMIT DROP AS
            SELECT repeat('x', 1000) AS line FROM generate_series(1, \(rows))
            """, [])
        return true
    }
}
