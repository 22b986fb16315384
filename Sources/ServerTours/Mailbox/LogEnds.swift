import ServerBase
import ServerStorage
import TourModel

/// The logs of one tour inside one transaction: where each ends, and what the transaction appends.
struct LogEnds {
    struct End: Sendable {
        /// The author's number in `events`; 0 while the author has no log here.
        var number: Int64
        var sequence: UInt64
        var last: EventID
    }

    private let tour: StoredTour
    private let sql: any SQL
    private var ends: [MemberID: End] = [:]
    private var grown: Set<MemberID> = []
    /// Rows of events that are not written yet: `writeRows` writes all of them at once.
    private var rows: [[SQLValue]] = []

    init(tour: StoredTour, sql: any SQL) {
        self.tour = tour
        self.sql = sql
    }

    mutating func end(of author: MemberID) throws(Failure) -> End {
        if let end = ends[author] { return end }
        let row = try sql.row(
            "SELECT number, head, last FROM logs WHERE tour = $1 AND author = $2",
            [.integer(tour.number), .bytes(author.bytes)])
        let end =
            try row.map { row throws(Failure) in
                End(number: try row.count(0), sequence: UInt64(try row.count(1)), last: try row.identifier(2))
            } ?? End(number: 0, sequence: 0, last: .none)
        ends[author] = end
        return end
    }

    /// - Returns: nil when no event has this sequence.
    mutating func id(of author: MemberID, at sequence: UInt64) throws(Failure) -> EventID? {
        try writeRows()
        let row = try sql.row(
            "SELECT id FROM events WHERE tour = $1 AND log = $2 AND sequence = $3",
            [.integer(tour.number), .integer(try end(of: author).number), .integer(Int64(sequence))])
        return try row?.identifier(0)
    }

    /// Appends the next event of its log; the caller has checked that it is.
    mutating func append(_ event: PushedEvent, now: Int64) throws(Failure) {
        let author = event.header.author
        var end = try end(of: author)
        if end.number == 0 { end.number = try begin(author) }
        rows.append([
            .integer(tour.number), .integer(end.number), .integer(Int64(event.header.sequence)),
            .bytes(event.id.bytes), .bytes(event.bytes), .integer(now),
        ])
        end.sequence = event.header.sequence
        end.last = event.id
        ends[author] = end
        grown.insert(author)
    }

    private mutating func writeRows() throws(Failure) {
        try sql.run(
            "INSERT INTO events (tour, log, sequence, id, event, taken_at) VALUES ($1, $2, $3, $4, $5, $6)", each: rows)
        rows = []
    }

    /// Writes the appended events and the new ends of logs: each end once, however many events came.
    mutating func store() throws(Failure) {
        try writeRows()
        for author in grown {
            guard let end = ends[author] else { continue }
            try sql.run(
                "UPDATE logs SET head = $1, last = $2 WHERE tour = $3 AND number = $4",
                [
                    .integer(Int64(end.sequence)), .bytes(end.last.bytes), .integer(tour.number),
                    .integer(end.number),
                ])
        }
        grown = []
    }

    private func begin(_ author: MemberID) throws(Failure) -> Int64 {
        let row = try sql.row(
            """
            INSERT INTO logs (tour, number, author, head, last)
            VALUES ($1, (SELECT COALESCE(MAX(number), 0) + 1 FROM logs WHERE tour = $2), $3, 0, $4) RETURNING number
            """,
            [.integer(tour.number), .integer(tour.number), .bytes(author.bytes), .bytes(EventID.none.bytes)])
        guard let row else { throw Failure(.internalError, cause: "a log got no number") }
        return try row.integer(0)
    }
}
