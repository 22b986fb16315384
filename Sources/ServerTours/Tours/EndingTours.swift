import ServerBase
import ServerStorage
import TourModel

/// The tours that the server will delete, since nothing has been written in them for long, inside one transaction. It
/// owns the rows of `ending_tours`, and `tours.changed_at`.
package struct EndingTours {
    let sql: any SQL

    /// The steps of `ending_tours` and `tours.changed_at`.
    package static let migrations = [
        Migration(
            name: "ending-tours-1",
            statements: [
                """
                CREATE TABLE ending_tours (
                    tour BIGINT PRIMARY KEY, announced BIGINT NOT NULL, due BIGINT NOT NULL, days BIGINT NOT NULL)
                """
            ]),
        // When an account last changed what the server shows of the tour, or whose it is: a plan has no events.
        Migration(name: "ending-tours-2", statements: ["ALTER TABLE tours ADD COLUMN changed_at BIGINT"]),
    ]

    /// Tours that were quiet since a time, and those whose end is announced, in the order of their numbers.
    /// - Parameter quietSince: microseconds since 1970.
    /// - Parameter number: of the tour behind which the list begins.
    func page(quietSince: Int64, behind number: Int64, limit: Int) throws(Failure) -> [QuietTour] {
        let found = try sql.rows(
            """
            SELECT tours.number, tours.id, COALESCE(tours.synced_at, tours.created_at),
                CASE WHEN tours.end_date IS NULL OR tours.start_date > tours.end_date THEN tours.start_date
                ELSE tours.end_date END,
                (SELECT MAX(created_at) FROM invitations WHERE invitations.tour = tours.number),
                (SELECT MAX(touched) FROM blobs WHERE blobs.tour = tours.number),
                ending_tours.announced, ending_tours.due, ending_tours.days, tours.changed_at
            FROM tours LEFT JOIN ending_tours ON ending_tours.tour = tours.number
            WHERE tours.number > $1
                AND (COALESCE(tours.synced_at, tours.created_at) <= $2 OR ending_tours.tour IS NOT NULL)
            ORDER BY tours.number LIMIT \(limit)
            """, [.integer(number), .integer(quietSince)])
        return try found.map(QuietTour.init)
    }

    func announce(_ tour: QuietTour, due: Int64, days: Int, now: Int64) throws(Failure) {
        try sql.run(
            "INSERT INTO ending_tours (tour, announced, due, days) VALUES ($1, $2, $3, $4)",
            [.integer(tour.number), .integer(now), .integer(due), .integer(Int64(days))])
    }

    /// Counts a change of what the server shows of the tour, of its owner, or of who shares it as use of it.
    /// - Parameter number: the tour's.
    func touch(_ number: Int64, now: Int64) throws(Failure) {
        try sql.run(
            "UPDATE tours SET changed_at = $1 WHERE number = $2 AND (changed_at IS NULL OR changed_at < $3)",
            [.integer(now), .integer(number), .integer(now)])
    }

    /// - Parameter number: the tour's.
    func forget(_ number: Int64) throws(Failure) {
        try sql.run("DELETE FROM ending_tours WHERE tour = $1", [.integer(number)])
    }

    /// Takes back every announcement.
    func forgetAll() throws(Failure) {
        try sql.run("DELETE FROM ending_tours", [])
    }
}

/// A tour with what was last written in it, and the announcement of its end.
struct QuietTour: Sendable {
    /// When and by what setting the end was announced. Times are microseconds since 1970, like all here.
    struct Announcement: Hashable, Sendable {
        let at: Int64
        let due: Int64
        let days: Int64
    }

    let number: Int64
    let id: TourID
    /// When something was last written in it or changed of it, or its last day where that is later.
    let lastUse: Int64
    let announcement: Announcement?

    /// - Parameter row: of `EndingTours.page`.
    init(_ row: SQLRow) throws(Failure) {
        number = try row.integer(0)
        id = try row.identifier(1)
        // The last use of a blob is in seconds.
        lastUse = max(
            try row.count(2), try row.optionalInteger(3) ?? 0, try row.optionalInteger(4) ?? 0,
            try row.optionalInteger(9) ?? 0,
            min(try row.optionalInteger(5) ?? 0, 1 << 40) * 1_000_000)
        announcement =
            if let at = try row.optionalInteger(6) {
                Announcement(at: at, due: try row.count(7), days: try row.integer(8))
            } else {
                nil
            }
    }
}
