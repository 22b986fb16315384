import ServerStorage

extension TourRows {
    /// A tour's control events are stored twice: in the order of their arrival, for the roster, and in their logs.
    package static let migrations = [
        Migration(
            name: "tours-1",
            statements: [
                """
                CREATE TABLE tours (
                    number BIGINT PRIMARY KEY, id BYTEA NOT NULL UNIQUE, genesis BYTEA NOT NULL, account BIGINT,
                    name TEXT, is_active BIGINT NOT NULL, start_date BIGINT, end_date BIGINT,
                    created_at BIGINT NOT NULL, synced_at BIGINT, revision BIGINT NOT NULL, bytes BIGINT NOT NULL)
                """,
                "CREATE INDEX tours_by_account ON tours (account)",
                """
                CREATE TABLE controls (
                    tour BIGINT NOT NULL, place BIGINT NOT NULL, id BYTEA NOT NULL, event BYTEA NOT NULL,
                    PRIMARY KEY (tour, place), UNIQUE (tour, id))
                """,
                // The end of each log here. The number stands for the author in `events`.
                """
                CREATE TABLE logs (
                    tour BIGINT NOT NULL, number BIGINT NOT NULL, author BYTEA NOT NULL, head BIGINT NOT NULL,
                    last BYTEA NOT NULL, PRIMARY KEY (tour, number), UNIQUE (tour, author))
                """,
                """
                CREATE TABLE events (
                    tour BIGINT NOT NULL, log BIGINT NOT NULL, sequence BIGINT NOT NULL, id BYTEA NOT NULL,
                    event BYTEA NOT NULL, PRIMARY KEY (tour, log, sequence))
                """,
                // Ties accounts to members.
                """
                CREATE TABLE seats (
                    tour BIGINT NOT NULL, account BIGINT NOT NULL, member BYTEA NOT NULL, PRIMARY KEY (tour, account))
                """,
                "CREATE INDEX seats_by_account ON seats (account)",
                "CREATE TABLE used_nonces (nonce BYTEA PRIMARY KEY, expires BIGINT NOT NULL)",
                "CREATE INDEX used_nonces_by_expiry ON used_nonces (expires)",
            ]),
        // The id under which a tour was planned; null for tours that were registered with their genesis.
        Migration(
            name: "tours-2",
            statements: [
                "ALTER TABLE tours ADD COLUMN plan BYTEA",
                "CREATE UNIQUE INDEX tours_by_plan ON tours (plan)",
            ]),
        // Deleted tours of which events or files are left: deleting them takes many transactions.
        Migration(
            name: "tours-3",
            statements: ["CREATE TABLE deleted_tours (number BIGINT PRIMARY KEY, id BYTEA NOT NULL)"]),
        TourKeeping.migration,
    ]
}
