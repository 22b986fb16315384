import ServerBase

/// The server's database: one SQLite file, or a PostgreSQL database that several processes share. Blobs, notebooks'
/// files and keys are in files beside it; nothing else outlives the process.
///
/// Statements use the SQL that SQLite and PostgreSQL share: types BIGINT, TEXT and BYTEA; `ON CONFLICT` and
/// `RETURNING`; parameters `$1`, `$2`, … numbered in the order in which they appear, none of them twice; no
/// autoincrement (see `SQL.nextNumber`). Texts are compared and ordered where their order shows to nobody: databases
/// differ in it.
package protocol Storage: Sendable {
    /// Reads: all statements of `work` see the same state.
    /// - Throws: whatever `work` throws; `unavailable` when the database does not answer; `internal` for a wrong
    ///   statement.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// Reads a few rows by their keys, at the cost of few changes of threads and round trips. Each statement of `work`
    /// sees one state; the next one may see a later state.
    /// - Throws: the errors of `read`.
    func lookUp<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// Runs one transaction, which an error of `work` undoes as a whole. Where several processes share the database
    /// `work` may run more than once, so it must have no other effects.
    /// - Throws: the errors of `read`.
    @discardableResult
    func write<Value: Sendable>(
        _ durability: Durability, _ isolation: Isolation,
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// Runs one durable transaction, which may take long, while no other process runs one of these.
    /// - Throws: the errors of `read`.
    func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value

    /// Whether several processes may serve from the database at once.
    var isShared: Bool { get }

    /// Called once by a process that is about to serve: from then on it hears what other processes wake.
    /// - Returns: whether no other process serves from the database.
    /// - Throws: `alreadyServed` where only one may; `unavailable`.
    func beginServing() async throws(Failure) -> Bool

    /// Yields an element after transactions that called `SQL.wake` for this topic were committed, in any process;
    /// several may share one. The stream ends with its reader.
    func wakes(_ topic: String) -> AsyncStream<Void>

    /// The version of a topic, which changes at each wake while somebody waits for the topic, before any waiter learns
    /// of it: a read under one version serves every waiter that this wake woke. 0 before the first wake.
    func version(of topic: String) -> UInt64

    /// The writes of this process since its start.
    var writeCounts: WriteCounts { get }

    /// Checks that the database has room for more rows, where it has refused one for lack of room since the last check
    /// that it passed: small changes may find a place in it all the same.
    /// - Throws: `unavailable`.
    func checkRoom() async throws(Failure)

    /// What the database takes.
    /// - Throws: `unavailable`.
    func figures() async throws(Failure) -> DatabaseFigures

    /// Writes the state of one moment, all that was committed before the call included, into a new SQLite file, while
    /// servers go on writing. The file has the database's schema whichever engine that is, and no log beside it.
    /// - Parameter path: a file that does not exist, in a directory of ours. The caller flushes the file.
    /// - Parameter migrations: the steps that this version knows.
    /// - Throws: `newerDatabase`; `unavailable`.
    func snapshot(to path: String, of migrations: [Migration]) async throws(Failure)

    /// Ends after the current work; later calls throw `unavailable`.
    func close() async throws(Failure)
}

/// The writes of a process since its start.
package struct WriteCounts: Hashable, Sendable {
    /// Transactions that were run.
    package internal(set) var transactions = 0
    /// Commits; waiting transactions may share one.
    package internal(set) var commits = 0
    /// Transactions that wait for their turn now.
    package internal(set) var waiting = 0
    /// How often a transaction was run again because another was in its way.
    package internal(set) var retries = 0
    /// Wakes of somebody who waited for a topic here.
    package internal(set) var wakes = 0
    /// Notifications to other processes and from them; nil where there are no others.
    package internal(set) var notifications: Notifications?

    /// What processes told each other.
    package struct Notifications: Hashable, Sendable {
        /// Notifications to other processes.
        package var sent = 0
        /// Notifications from other processes.
        package var received = 0
    }
}

/// What a transaction sees of others that run at the same time.
package enum Isolation: Sendable {
    /// Nothing: the result is as if they had run one after the other.
    case whole
    /// Each statement sees what was committed before it, and waits for another transaction that writes the same row
    /// instead of starting over. For upserts that depend on their own row alone, on rows that everybody writes.
    case statements
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
        try await write(.durable, .whole, work)
    }

    /// Runs a transaction that sees nothing of others.
    @discardableResult
    package func write<Value: Sendable>(
        _ durability: Durability, _ work: @escaping @Sendable (any SQL) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await write(durability, .whole, work)
    }
}

/// Statements inside one transaction.
package protocol SQL {
    /// - Returns: the rows of the result, in its order.
    func rows(_ statement: String, _ values: [SQLValue]) throws(Failure) -> [SQLRow]

    /// Runs the statement once for each list of values, in their order; to a database that is elsewhere all of them go
    /// together.
    /// - Returns: the rows of each result.
    func rows(_ statement: String, each values: [[SQLValue]]) throws(Failure) -> [[SQLRow]]

    /// - Returns: how many rows the statement changed.
    @discardableResult
    func run(_ statement: String, _ values: [SQLValue]) throws(Failure) -> Int

    /// Runs the statement once for each list of values; it is compiled only once.
    func run(_ statement: String, each rows: [[SQLValue]]) throws(Failure)

    /// The next whole number of this name, from 1. Where several processes share the database, numbers of transactions
    /// that were undone are left out.
    func nextNumber(_ name: String) throws(Failure) -> Int64

    /// Wakes everybody who waits for this topic, once the transaction is committed.
    func wake(_ topic: String)
}

extension SQL {
    /// The first row, or nil.
    package func row(_ statement: String, _ values: [SQLValue]) throws(Failure) -> SQLRow? {
        try rows(statement, values).first
    }
}
