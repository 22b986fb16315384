import ServerBase

/// How a transaction begins.
struct PostgresTransaction: Sendable {
    let beginning: [PostgresCommand]
    /// How long each round trip may take.
    var patience = ServerLimits.databasePatience
    /// Whether it counts among the writes of the process.
    var isWrite = true

    /// Every statement sees the state that the first one saw.
    static let reading = PostgresTransaction(
        beginning: [PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")], isWrite: false)

    /// No transaction at all.
    static let lookingUp = PostgresTransaction(beginning: [], isWrite: false)

    static func writing(_ durability: Durability, _ isolation: Isolation) -> PostgresTransaction {
        let level =
            switch isolation {
            case .whole: "SERIALIZABLE"
            case .statements: "READ COMMITTED"
            }
        var beginning = [PostgresCommand("BEGIN ISOLATION LEVEL \(level)")]
        switch durability {
        case .durable: break
        case .relaxed: beginning.append(PostgresCommand("SET LOCAL synchronous_commit = off"))
        }
        return PostgresTransaction(beginning: beginning)
    }

    /// Changes of the schema, which may take long on a large database.
    static let migrating = PostgresTransaction(
        beginning: [
            PostgresCommand("BEGIN ISOLATION LEVEL SERIALIZABLE"), PostgresCommand("SET LOCAL enable_seqscan = on"),
        ], patience: ServerLimits.migrationPatience)
}

/// Decides whether a transaction that failed is run again.
struct PostgresRetries {
    private var tries = 0
    private var duplicates = 0
    private var losses = 0

    /// - Returns: nil when the transaction is not to be run again; else how long to wait before.
    mutating func pause(after fault: PostgresFault) -> Duration? {
        tries += 1
        guard tries < ServerLimits.transactionTriesMax else { return nil }
        switch fault.kind {
        case .conflict: break
        case .duplicate:
            // The row of another transaction, which this one finds at its next try; or a rule that it breaks each time.
            duplicates += 1
            guard duplicates <= 2 else { return nil }
        case .stale, .lost:
            losses += 1
            return losses <= 2 ? .zero : nil
        case .unavailable, .full, .wrong: return nil
        }
        // Chance keeps those apart that failed together; a second and more in all outlasts what another transaction
        // reads at length, such as a backup's.
        return .microseconds(Int.random(in: 0...(500 << min(tries, 9))))
    }
}
