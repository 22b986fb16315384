extension Migration {
    /// An archive's private keys stand sealed under `server.key`, the epoch keys that members handed to it as they
    /// came: wrapped to it. What it opens is written nowhere.
    static let archives = [
        Migration(
            name: "archives-1",
            statements: [
                """
                CREATE TABLE archives (
                    tour BIGINT PRIMARY KEY, member BYTEA NOT NULL, keys BYTEA NOT NULL, created_at BIGINT NOT NULL)
                """,
                """
                CREATE TABLE archive_keys (
                    tour BIGINT NOT NULL, epoch BYTEA NOT NULL, wrapped BYTEA NOT NULL, PRIMARY KEY (tour, epoch))
                """,
                // When the server took it; null for what it took before it wrote that down.
                "ALTER TABLE events ADD COLUMN taken_at BIGINT",
                // The tour's order, read from the header: clock, author, sequence.
                """
                CREATE INDEX events_by_place ON events (
                    tour, (substr(event, 107, 8)), (substr(event, 35, 8)), (substr(event, 67, 8)))
                """,
            ])
    ]
}
