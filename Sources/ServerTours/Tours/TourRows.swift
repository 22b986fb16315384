import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// The tours inside one transaction. It owns the rows of `tours`; of planned ones see `PlannedTours`.
package struct TourRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// - Returns: nil for a planned tour too: it has no roster.
    package func tour(_ id: TourID) throws(Failure) -> StoredTour? {
        let row = try sql.row(
            "SELECT \(StoredTour.columns) FROM tours WHERE id = $1 AND (plan IS NULL OR plan <> id)",
            [.bytes(id.bytes)])
        guard let row else { return nil }
        return try StoredTour(row)
    }

    /// - Parameter number: of a planned tour too.
    package func tour(number: Int64) throws(Failure) -> StoredTour? {
        let row = try sql.row("SELECT \(StoredTour.columns) FROM tours WHERE number = $1", [.integer(number)])
        guard let row else { return nil }
        return try StoredTour(row)
    }

    /// The tours that an account registered, has a seat in or is invited to, in the order of their registration.
    package func tours(of account: Account) throws(Failure) -> [StoredTour] {
        let found = try sql.rows(
            """
            SELECT \(StoredTour.columns) FROM tours WHERE tours.account = $1
            OR tours.number IN (SELECT tour FROM seats WHERE account = $2)
            OR tours.number IN (SELECT tour FROM invitations WHERE email = $3 OR phone = $4)
            ORDER BY tours.created_at, tours.number
            """, [.integer(account.id), .integer(account.id), SQLValue(account.provenEmail), SQLValue(account.phone)])
        return try found.map(StoredTour.init)
    }

    /// Registers a tour.
    func add(
        _ id: TourID, genesis: [UInt8], by account: AuthenticatedAccount, listing: TourListing, now: Int64
    ) throws(Failure) -> StoredTour {
        let number = try sql.nextNumber("tours")
        try sql.run(
            """
            INSERT INTO tours
            (number, id, genesis, account, name, is_active, start_date, end_date, created_at, revision, bytes)
            VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8, 0, $9)
            """,
            [
                .integer(number), .bytes(id.bytes), .bytes(genesis), .integer(account.id), SQLValue(listing.name),
                SQLValue(listing.startDate), SQLValue(listing.endDate), .integer(now),
                .integer(Int64(genesis.count)),
            ])
        guard let tour = try tour(id) else {
            throw Failure(.internalError, cause: "a tour that was just made is not there")
        }
        return tour
    }

    /// Records the bytes of stored events, and wakes the tour's listeners.
    func record(bytes: Int, in tour: StoredTour, now: Int64) throws(Failure) {
        try sql.run(
            """
            UPDATE tours SET revision = revision + 1, bytes = bytes + $1,
                synced_at = CASE WHEN synced_at > $2 THEN synced_at ELSE $3 END WHERE number = $4
            """, [.integer(Int64(bytes)), .integer(now), .integer(now), .integer(tour.number)])
        sql.wake(tour.topic)
    }

    /// Takes the tours from an account that is being deleted: they belong to their members.
    func release(by account: Account) throws(Failure) {
        try sql.run("UPDATE tours SET account = NULL WHERE account = $1", [.integer(account.id)])
    }
}
