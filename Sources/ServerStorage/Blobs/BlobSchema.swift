extension BlobStore {
    /// A row reserves room in the tour from the first piece on; the bytes are in files.
    package static let migrations = [
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
        // The member whose share the blob counts against: the one that began it. Null for older blobs, which count
        // against no member's share.
        Migration(name: "blobs-2", statements: ["ALTER TABLE blobs ADD COLUMN member BYTEA"]),
        // The room of a tour and of a member is added up for each new blob, of more than a hundred thousand small ones.
        Migration(
            name: "blobs-3", statements: ["CREATE INDEX blobs_by_member ON blobs (tour, member, is_whole, bytes)"]),
    ]
}
