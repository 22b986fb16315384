import GRDB
import TourModel

/// Where a tour's logs end, as the writer remembers it, so that an append reads nothing.
struct LogEnds {
    let tourKey: Int64
    var authors: [MemberID: LogEnd] = [:]

    /// Inside a write only.
    func end(of author: MemberID, _ db: Database) throws -> LogEnd {
        try authors[author] ?? LogEnd(author, tourKey: tourKey, db)
    }
}

/// Where one author's log ends, and what is stored ahead of it.
struct LogEnd {
    struct Ahead {
        let row: Int64
        let id: EventID
        let previous: EventID
        let byteCount: Int
    }

    /// The author's key.
    let author: Int64
    var sequence: UInt64 = 0
    var head = EventID.none
    var size = LogSize.zero
    /// By sequence; a few at most.
    var ahead: [UInt64: Ahead] = [:]

    /// As it is stored. Adds the author when it is new; inside a write only.
    init(_ author: MemberID, tourKey: Int64, _ db: Database) throws {
        self.author = try db.makeKey(of: author, tourKey: tourKey)
        let last = try Row.fetchOne(db.cachedStatement(sql: Self.lastEvent), arguments: [self.author])
        if let last {
            sequence = try last.sequence(0)
            head = try EventID(column: last.data(1))
            size = LogSize(sealed: try last.count(2), control: try last.count(3))
        }
        let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.eventsAhead), arguments: [self.author])
        while let row = try rows.next() {
            ahead[try row.sequence(0)] = try Ahead(
                row: row.integer(1), id: EventID(column: row.data(2)), previous: EventID(column: row.data(3)),
                byteCount: row.count(4))
        }
    }

    static let lastEvent = """
        SELECT sequence, id, sealed_bytes, control_bytes FROM event WHERE author = ? AND sequence > 0
        ORDER BY sequence DESC LIMIT 1
        """

    /// `previous` as it stands in the event's header.
    static let eventsAhead = """
        SELECT -sequence, row, id, substr(bytes, 75, 32), length(bytes) FROM event
        WHERE author = ? AND sequence < 0
        """

    /// Whether the author's share takes nothing more of what goes ahead.
    var isFull: Bool { !LogShare.ofTour.takes(.announcement, after: size) }
}
