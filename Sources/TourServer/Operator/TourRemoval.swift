import TourModel

/// Deletes what is left of deleted tours: their events, in transactions so small that a running server hardly waits,
/// then their files. A command that is killed in between leaves the rest to the server's sweep.
package struct TourRemoval: Sendable {
    let storage: any Storage
    let blobs: BlobStore

    /// - Parameter blobs: of the same data directory.
    package init(storage: any Storage, blobs: BlobStore) {
        self.storage = storage
        self.blobs = blobs
    }

    /// A tour's rows by table, and the columns that name a row.
    private static let rows = [
        ("events", "log, sequence"), ("controls", "place"), ("logs", "number"), ("blobs", "hash"),
        ("archive_keys", "epoch"), ("archives", "tour"), ("seats", "account"), ("invitations", "number"),
    ]

    /// Deletes the rest of every deleted tour. Several processes may do so at once.
    package func finish() async throws(Failure) {
        for tour in try await storage.read({ sql throws(Failure) in try DeletedTours(sql: sql).all() }) {
            for (table, columns) in Self.rows {
                while try await deleteSome(of: tour, in: table, columns) == ServerLimits.tourRowsDeletedAtOnce {}
            }
            guard try await blobs.removeFiles(of: tour) else { continue }
            try await storage.write { sql throws(Failure) in try DeletedTours(sql: sql).forget(tour) }
        }
    }

    /// - Returns: how many rows went.
    private func deleteSome(
        of tour: BlobStore.StoredTourName, in table: String, _ columns: String
    ) async throws(Failure) -> Int {
        try await storage.write(.relaxed) { sql throws(Failure) in
            try sql.run(
                """
                DELETE FROM \(table) WHERE tour = $1 AND (\(columns)) IN (
                    SELECT \(columns) FROM \(table) WHERE tour = $2 LIMIT \(ServerLimits.tourRowsDeletedAtOnce))
                """, [.integer(tour.number), .integer(tour.number)])
        }
    }
}

/// The tours whose rows and files are still to be deleted, inside one transaction.
struct DeletedTours {
    let sql: any SQL

    /// Deletes a tour: from the end of the transaction on nobody has access to it, and the server does not know it.
    /// `TourRemoval` deletes the rest.
    func add(_ tour: StoredTour) throws(Failure) {
        try sql.run(
            "INSERT INTO deleted_tours (number, id) VALUES ($1, $2)", [.integer(tour.number), .bytes(tour.id.bytes)])
        for table in ["seats", "invitations", "archives", "archive_keys", "ending_tours", "organisation_tours"] {
            try sql.run("DELETE FROM \(table) WHERE tour = $1", [.integer(tour.number)])
        }
        try sql.run("DELETE FROM tours WHERE number = $1", [.integer(tour.number)])
        sql.wake(tour.topic)
    }

    func all() throws(Failure) -> [BlobStore.StoredTourName] {
        var tours = [BlobStore.StoredTourName]()
        for row in try sql.rows("SELECT number, id FROM deleted_tours ORDER BY number", []) {
            tours.append(BlobStore.StoredTourName(number: try row.integer(0), id: try row.identifier(1)))
        }
        return tours
    }

    func forget(_ tour: BlobStore.StoredTourName) throws(Failure) {
        try sql.run("DELETE FROM deleted_tours WHERE number = $1", [.integer(tour.number)])
    }
}
