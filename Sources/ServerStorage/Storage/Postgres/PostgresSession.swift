import ServerBase
import Synchronization

/// The names of the numbers that the database counts, by the sequences that are known to be there.
final class PostgresNumbers: Sendable {
    private let known = Mutex<Set<String>>([])

    func has(_ name: String) -> Bool { known.withLock { $0.contains(name) } }
    func add(_ names: Set<String>) { known.withLock { $0.formUnion(names) } }

    /// The sequence of a name.
    static func sequence(_ name: String) -> String { "\"numbers_\(name)\"" }
}

/// Executes one transaction's statements. The first of them begins it.
final class PostgresSession: SQL {
    private let connection: PostgresConnection
    private let numbers: PostgresNumbers
    private let patience: Duration
    /// Whether the statements belong to one transaction.
    private let isTransaction: Bool
    /// What is sent before the next statement.
    private var beginning: [PostgresCommand]
    private(set) var topics = Set<String>()
    /// The sequences that this transaction made.
    private(set) var made = Set<String>()
    /// The first error of the database: it has ended the transaction, whatever became of it here.
    private(set) var fault: PostgresFault?

    /// - Parameter beginning: the commands that begin a transaction; empty: each statement is one of its own.
    init(
        _ connection: PostgresConnection, numbers: PostgresNumbers, beginning: [PostgresCommand],
        patience: Duration = ServerLimits.databasePatience
    ) {
        self.connection = connection
        self.numbers = numbers
        self.beginning = beginning
        isTransaction = !beginning.isEmpty
        self.patience = patience
    }

    func rows(_ statement: String, _ values: [SQLValue]) throws(Failure) -> [SQLRow] {
        try send([PostgresCommand(statement, values)]).first?.rows ?? []
    }

    func rows(_ statement: String, each values: [[SQLValue]]) throws(Failure) -> [[SQLRow]] {
        try send(values.map { PostgresCommand(statement, $0) }).map(\.rows)
    }

    func run(_ statement: String, _ values: [SQLValue]) throws(Failure) -> Int {
        try send([PostgresCommand(statement, values)]).first?.changes ?? 0
    }

    func run(_ statement: String, each rows: [[SQLValue]]) throws(Failure) {
        if let bulk = PostgresBulk.command(statement, each: rows) {
            _ = try send([bulk])
        } else {
            _ = try send(rows.map { PostgresCommand(statement, $0) })
        }
    }

    /// A sequence gives the number: transactions that take one at the same time do not wait for each other.
    func nextNumber(_ name: String) throws(Failure) -> Int64 {
        let sequence = PostgresNumbers.sequence(name)
        var commands = [PostgresCommand("SELECT nextval('\(sequence)')")]
        if !numbers.has(name), made.insert(name).inserted {
            commands.insert(PostgresCommand("CREATE SEQUENCE IF NOT EXISTS \(sequence)"), at: 0)
        }
        guard let row = try send(commands).last?.rows.first else {
            throw Failure(.internalError, cause: "the sequence \(sequence) gave no number")
        }
        return try row.integer(0)
    }

    func wake(_ topic: String) { topics.insert(topic) }

    /// Whether a statement was sent: else there is no transaction to end.
    var hasBegun: Bool { isTransaction && beginning.isEmpty }

    /// - Throws: `conflict` when the transaction cannot be committed beside others; `lost` when nobody knows whether it
    ///   was.
    func commit() throws(PostgresFault) {
        guard hasBegun else { return }
        _ = try connection.run([PostgresCommand("COMMIT")], within: patience)
    }

    /// - Returns: whether the connection is as good as new.
    func rollBack() -> Bool {
        guard hasBegun else { return !connection.isLost }
        return (try? connection.run([PostgresCommand("ROLLBACK")])) != nil
    }

    private func send(_ commands: [PostgresCommand]) throws(Failure) -> [PostgresResult] {
        if let fault { throw fault.failure }
        guard !commands.isEmpty else { return [] }
        let first = beginning
        beginning = []
        do throws(PostgresFault) {
            return Array(try connection.run(first + commands, within: patience).dropFirst(first.count))
        } catch {
            fault = error
            throw error.failure
        }
    }
}
