import ServerStorage

extension ArchiveRows {
    /// An archive's private keys are stored sealed under `server.key`, epoch keys that members handed over as they
    /// arrived: wrapped to the archive. Nothing that the archive opens is ever stored.
    package static let migrations = [
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
                // When the server stored the event; null for events from before this column.
                "ALTER TABLE events ADD COLUMN taken_at BIGINT",
                // The tour's order, read from the header: clock, author, sequence.
                """
                CREATE INDEX events_by_place ON events (
                    tour, (substr(event, 107, 8)), (substr(event, 35, 8)), (substr(event, 67, 8)))
                """,
            ])
    ]
}
