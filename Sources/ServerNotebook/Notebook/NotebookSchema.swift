import ServerBase
import ServerStorage

extension NotebookRows {
    /// Notebooks of accounts: one table holds every kind, so that one stamp orders all changes of a notebook. A deleted
    /// item stays as a row without a body.
    /// Source: `Protocol/12-notebook.md`.
    package static let migrations = [
        Migration(
            name: "notebooks-1",
            statements: [
                """
                CREATE TABLE notebook (
                    account BIGINT NOT NULL, id BYTEA NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
                    version BIGINT NOT NULL, writer TEXT, stamp BIGINT NOT NULL, created BIGINT NOT NULL,
                    updated BIGINT NOT NULL, deleted BIGINT NOT NULL, number BIGINT UNIQUE, PRIMARY KEY (account, id))
                """,
                "CREATE UNIQUE INDEX notebook_by_stamp ON notebook (account, stamp)",
                "CREATE INDEX notebook_by_kind ON notebook (account, kind, deleted, created, stamp)",
                "CREATE INDEX notebook_by_id ON notebook (id)",
                // The last stamp is stored, and never derived from the clock alone: a clock that is set back hides no
                // change.
                """
                CREATE TABLE notebook_accounts (
                    account BIGINT PRIMARY KEY, last BIGINT NOT NULL, live BIGINT NOT NULL, bytes BIGINT NOT NULL,
                    synced BIGINT)
                """,
                // The account's id in APIs that identify people by UUIDs.
                "CREATE TABLE profiles (account BIGINT PRIMARY KEY, id BYTEA NOT NULL)",
                // `state` is a `NotebookFile.State`; `unused` is the time since which no item has referred to the file,
                // NULL while one does.
                """
                CREATE TABLE notebook_files (
                    id BYTEA PRIMARY KEY, account BIGINT NOT NULL, name TEXT NOT NULL, media TEXT NOT NULL,
                    bytes BIGINT NOT NULL, hash BYTEA, state BIGINT NOT NULL, unused BIGINT)
                """,
                "CREATE INDEX notebook_files_by_account ON notebook_files (account)",
                "CREATE INDEX notebook_files_by_age ON notebook_files (unused)",
                """
                CREATE TABLE notebook_uses (
                    account BIGINT NOT NULL, item BYTEA NOT NULL, file BYTEA NOT NULL,
                    PRIMARY KEY (account, item, file))
                """,
                "CREATE INDEX notebook_uses_by_file ON notebook_uses (file)",
            ]),
        Migration(
            name: "notebooks-2",
            statements: ["CREATE INDEX notebook_deleted ON notebook (account, stamp) WHERE deleted = 1"]),
        // The new order of the index lets pages begin anywhere among the items of one second; the new table finds the
        // itineraries of a stop.
        Migration(
            name: "notebooks-3",
            statements: [
                "DROP INDEX notebook_by_kind",
                "CREATE INDEX notebook_by_kind ON notebook (account, kind, deleted, created, id)",
                """
                CREATE TABLE notebook_stops (
                    account BIGINT NOT NULL, stop BYTEA NOT NULL, itinerary BYTEA NOT NULL,
                    PRIMARY KEY (account, stop, itinerary))
                """,
                "CREATE INDEX notebook_stops_by_itinerary ON notebook_stops (account, itinerary)",
            ],
            fill: { sql throws(Failure) in try StopUseRows.fill(in: sql) }),
    ]
}
