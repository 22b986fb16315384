extension Migration {
    /// What stands here takes room of the tour from its first piece on; the bytes are in files.
    static let blobs = [
        Migration(
            name: "blobs-1",
            statements: [
                """
                CREATE TABLE blobs (
                    tour BIGINT NOT NULL, hash BYTEA NOT NULL, bytes BIGINT NOT NULL, is_whole BIGINT NOT NULL,
                    touched BIGINT NOT NULL, PRIMARY KEY (tour, hash))
                """,
                "CREATE INDEX blobs_by_age ON blobs (is_whole, touched)",
            ]),
        // Whose share it takes: the member who began it. Of those from before nobody's.
        Migration(name: "blobs-2", statements: ["ALTER TABLE blobs ADD COLUMN member BYTEA"]),
    ]
}
