/// The server's database: one SQLite file, or later a database that several processes share. Blobs, notebooks' files
/// and keys are in files beside it; nothing else outlives the process.
///
/// Statements use the SQL that SQLite and PostgreSQL share: types BIGINT, TEXT and BYTEA; `ON CONFLICT` and
/// `RETURNING`; parameters `$1`, `$2`, … numbered in the order in which they appear, none of them twice; no
/// autoincrement (see `SQL.nextNumber`).
package protocol Storage: Sendable {
    /// Reads: all statements of `work` see the same state.
    /// - Throws: whatever `work` throws; `unavailable` when the database does not answer; `internal` for a wrong
    ///   statement.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// Runs one transaction, which an error of `work` undoes as a whole. Where several processes share the database
    /// `work` may run more than once, so it must have no other effects.
    /// - Throws: the errors of `read`.
    @discardableResult
    func write<Value: Sendable>(
        _ durability: Durability, _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// Yields an element after transactions that called `SQL.wake` for this topic were committed, in any process;
    /// several may share one. The stream ends with its reader.
    func wakes(_ topic: String) -> AsyncStream<Void>

    /// The version of a topic, which changes at each wake while somebody waits for the topic, before any waiter learns
    /// of it: a read under one version serves every waiter that this wake woke. 0 before the first wake.
    func version(of topic: String) -> UInt64

    /// The writes of this process since its start.
    var writeCounts: WriteCounts { get }
}

/// The writes of a process since its start.
package struct WriteCounts: Hashable, Sendable {
    /// Transactions that were run.
    package internal(set) var transactions = 0
    /// Commits; waiting transactions may share one.
    package internal(set) var commits = 0
    /// Transactions that wait for their turn now.
    package internal(set) var waiting = 0
}

/// How much of a committed transaction a power cut may undo. The end of the process undoes nothing.
package enum Durability: Sendable {
    /// Nothing: the disk holds the transaction before the call returns.
    case durable
    /// The last seconds of such transactions, never one from the middle: for counters, and for rows whose loss does no
    /// harm.
    case relaxed
}

extension Storage {
    /// Runs a durable transaction.
    @discardableResult
    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await write(.durable, work)
    }
}

/// Statements inside one transaction.
package protocol SQL {
    /// - Returns: the rows of the result, in its order.
    func rows(_ statement: String, _ values: [SQLValue]) throws(Failure) -> [SQLRow]

    /// - Returns: how many rows the statement changed.
    @discardableResult
    func run(_ statement: String, _ values: [SQLValue]) throws(Failure) -> Int

    /// Runs the statement once for each list of values; it is compiled only once.
    func run(_ statement: String, each rows: [[SQLValue]]) throws(Failure)

    /// Wakes everybody who waits for this topic, once the transaction is committed.
    func wake(_ topic: String)
}

extension SQL {
    /// The first row, or nil.
    package func row(_ statement: String, _ values: [SQLValue]) throws(Failure) -> SQLRow? {
        try rows(statement, values).first
    }

    /// The next whole number of this name, from 1, without gaps except for deleted rows.
    package func nextNumber(_ name: String) throws(Failure) -> Int64 {
        let row = try row(
            """
            INSERT INTO counters (name, value) VALUES ($1, 1)
            ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value
            """, [.text(name)])
        guard let row else { throw Failure(.internalError, cause: "the counter \(name) gave no number") }
        return try row.integer(0)
    }
}
