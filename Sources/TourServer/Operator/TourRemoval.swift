import ServerBase
import ServerStorage
import ServerTours
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
