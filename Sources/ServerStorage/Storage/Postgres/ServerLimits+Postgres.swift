import ServerBase

extension ServerLimits {
    /// Connections of one process, beside the one that listens: PostgreSQL works best with few for each processor, and
    /// has 100 by default for all processes together.
    package static let databaseConnectionsMax = 8
    /// Transactions that wait for a connection; more are refused.
    static let databaseWaitingMax = 2_048
    /// Writes to one tour that have a connection at once: one tour whose rows somebody keeps locked leaves the others
    /// enough, and writes to one tour wait for one another in the database anyway.
    package static let tourWritesAtOnce = 2
    /// How long further writes to the tour wait before they are refused.
    package static let tourWritesPatience: Duration = .seconds(5)
    /// How long those wait that add to the roster of the tour: each before them may take seconds to work it out.
    package static let tourGrowthPatience: Duration = .seconds(20)
    /// How long PostgreSQL may work on one statement, or wait for a lock: then it gives up itself.
    static let databaseTimeout: Duration = .seconds(20)
    /// How long the answer to one round trip is waited for; then the connection counts as dead.
    static let databasePatience: Duration = .seconds(30)
    /// How long a statement of a migration is waited for.
    static let migrationPatience: Duration = .seconds(60 * 60)
    /// How long requests wait for a database that cannot be reached, counted from when it was lost: a restart takes a
    /// few seconds.
    static let outagePatience: Duration = .seconds(5)
    /// The time between two attempts to reach it, at first and at most.
    static let databaseBackoffMin: Duration = .milliseconds(50)
    static let databaseBackoffMax: Duration = .seconds(1)
    /// The free bytes on its disk with which PostgreSQL counts as working again, after it was full.
    static let databaseRoomMin = 1_000_000
    /// How often a transaction is run while others are in its way.
    static let transactionTriesMax = 20
    /// How often listeners look by themselves, for notifications that were lost.
    static let wakesInterval: Duration = .seconds(30)
    /// One notification, in bytes.
    /// Source: PostgreSQL 15, NOTIFY: less than 8,000.
    static let notificationBytesMax = 7_900
    /// How long a process that starts waits for the trace of one that was just killed.
    static let presencePatience: Duration = .seconds(1)
}
