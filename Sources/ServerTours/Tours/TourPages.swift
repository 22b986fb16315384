import ServerBase
import ServerRequests
import ServerStorage

/// Pages of lists of tours, in the order of their registration. However long a list is, the database hands out one page
/// of it.
struct TourPages {
    let sql: any SQL
    let request: PageRequest

    /// The tours that an account registered, has a seat in, is invited to or shares by an organisation.
    func tours(seenBy account: Account) throws(Failure) -> Page<StoredTour> {
        let (createdAt, number) = request.numbers
        let found = try sql.rows(
            """
            SELECT \(StoredTour.columns) FROM tours WHERE (tours.account = $1
                OR tours.number IN (SELECT tour FROM seats WHERE account = $2)
                OR tours.number IN (SELECT tour FROM invitations WHERE email = $3 OR phone = $4)
                OR tours.number IN (SELECT t.tour FROM organisation_tours AS t
                    JOIN organisation_members AS m ON m.organisation = t.organisation WHERE m.account = $5))
            AND (tours.created_at > $6 OR (tours.created_at = $7 AND tours.number > $8))
            ORDER BY tours.created_at, tours.number LIMIT $9
            """,
            [
                .integer(account.id), .integer(account.id), SQLValue(account.provenEmail), SQLValue(account.phone),
                .integer(account.id), .integer(createdAt), .integer(createdAt), .integer(number), oneMore,
            ])
        return try page(of: found)
    }

    /// The tours that were shared with an organisation.
    func tours(of organisation: Int64) throws(Failure) -> Page<StoredTour> {
        let (createdAt, number) = request.numbers
        let found = try sql.rows(
            """
            SELECT \(StoredTour.columns) FROM tours
            WHERE tours.number IN (SELECT tour FROM organisation_tours WHERE organisation = $1)
            AND (tours.created_at > $2 OR (tours.created_at = $3 AND tours.number > $4))
            ORDER BY tours.created_at, tours.number LIMIT $5
            """,
            [.integer(organisation), .integer(createdAt), .integer(createdAt), .integer(number), oneMore])
        return try page(of: found)
    }

    /// The rows to read: one behind the page shows whether another follows.
    private var oneMore: SQLValue { .integer(Int64(request.limit) + 1) }

    private func page(of found: [SQLRow]) throws(Failure) -> Page<StoredTour> {
        let tours = try found.map { row throws(Failure) in try StoredTour(row) }
        return request.page(read: tours) { .pageKey($0.createdAt, .pageKey($0.number)) }
    }
}
