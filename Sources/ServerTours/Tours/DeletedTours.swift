import ServerBase
import ServerStorage
import TourModel

/// The tours whose rows and files are still to be deleted, inside one transaction.
package struct DeletedTours {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// Deletes a tour: from the end of the transaction on nobody has access to it, and the server does not know it.
    /// `TourRemoval` deletes the rest.
    package func add(_ tour: StoredTour) throws(Failure) {
        try sql.run(
            "INSERT INTO deleted_tours (number, id) VALUES ($1, $2)", [.integer(tour.number), .bytes(tour.id.bytes)])
        for table in ["seats", "invitations", "archives", "archive_keys", "ending_tours", "organisation_tours"] {
            try sql.run("DELETE FROM \(table) WHERE tour = $1", [.integer(tour.number)])
        }
        try sql.run("DELETE FROM tours WHERE number = $1", [.integer(tour.number)])
        sql.wake(tour.topic)
    }

    /// The tours of which something is left.
    package func all() throws(Failure) -> [BlobStore.StoredTourName] {
        return try sql.rows("SELECT number, id FROM deleted_tours ORDER BY number", []).map { row throws(Failure) in
            BlobStore.StoredTourName(number: try row.integer(0), id: try row.identifier(1))
        }
    }

    /// Forgets a tour of which nothing is left.
    package func forget(_ tour: BlobStore.StoredTourName) throws(Failure) {
        try sql.run("DELETE FROM deleted_tours WHERE number = $1", [.integer(tour.number)])
    }
}
