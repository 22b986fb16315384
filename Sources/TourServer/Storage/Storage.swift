/// Where the server keeps everything: one SQLite file, or later a database that several processes share. Nothing else
/// of the server outlives a request.
///
/// Statements are in the SQL that SQLite and PostgreSQL both take: types BIGINT, TEXT and BYTEA; `ON CONFLICT` and
/// `RETURNING`; parameters `$1`, `$2`, … numbered in the order in which they stand, none of them twice; no
/// autoincrement (see `SQL.nextNumber`).
package protocol Storage: Sendable {
    /// All statements of `work` see one state.
    /// - Throws: what `work` throws; `unavailable` when the database does not answer, `internal` for a wrong statement.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// One transaction, undone whole by what `work` throws. Where several processes share the database `work` may run
    /// more than once, so it changes nothing else.
    /// - Throws: as `read`.
    @discardableResult
    func write<Value: Sendable>(
        _ durability: Durability, _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// One element for each time, or several times, that a transaction which called `SQL.wake` for this topic was
    /// committed, in any process. Ends when the reader does.
    func wakes(_ topic: String) -> AsyncStream<Void>

    /// While somebody waits for the topic: another number each time that it is woken, from before anybody hears of it,
    /// so that what was read under one number is what everybody needs who was woken by it. 0 until then.
    func version(of topic: String) -> UInt64

    var writeCounts: WriteCounts { get }
}

/// What a process has written since its start.
package struct WriteCounts: Hashable, Sendable {
    package internal(set) var transactions = 0
    /// Several transactions that wait may share one.
    package internal(set) var commits = 0
    /// Transactions that wait for their turn now.
    package internal(set) var waiting = 0
}

/// What a power cut may take of a transaction that was committed. The end of the process takes nothing.
package enum Durability: Sendable {
    /// Nothing: the disk has it before the call returns.
    case durable
    /// The last seconds of such transactions, never one from the middle: for counters that bound a rate.
    case relaxed
}

extension Storage {
    /// A durable transaction.
    @discardableResult
    package func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await write(.durable, work)
    }
}

/// Statements inside one transaction.
package protocol SQL {
    /// - Returns: the rows of the answer, as they come.
    func rows(_ statement: String, _ values: [SQLValue]) throws(Failure) -> [SQLRow]

    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ statement: String, _ values: [SQLValue]) throws(Failure) -> Int

    /// Runs it once for each of the lists of values: it is looked up and compiled once for all.
    func run(_ statement: String, each rows: [[SQLValue]]) throws(Failure)

    /// Once the transaction is committed, wakes everybody who waits for this topic.
    func wake(_ topic: String)
}

extension SQL {
    /// The first row, or nil.
    package func row(_ statement: String, _ values: [SQLValue]) throws(Failure) -> SQLRow? {
        try rows(statement, values).first
    }

    /// The next of the whole numbers of that name, from 1, without gaps but those of deleted rows.
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
