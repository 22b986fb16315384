import GRDB
import TourModel

/// The ends of a tour's logs, cached by the writer, so that an append reads nothing.
struct LogEnds {
    let tourKey: Int64
    var authors: [MemberID: LogEnd] = [:]

    /// Call it inside a write.
    func end(of author: MemberID, _ db: Database) throws -> LogEnd {
        try authors[author] ?? LogEnd(author, tourKey: tourKey, db)
    }
}

/// The end of one author's log, and the events stored ahead of it.
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
    /// By sequence; only a few.
    var ahead: [UInt64: Ahead] = [:]

    /// Reads the stored end. Adds a new author; call it inside a write.
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

    /// `previous` from the event's header.
    static let eventsAhead = """
        SELECT -sequence, row, id, substr(bytes, 75, 32), length(bytes) FROM event
        WHERE author = ? AND sequence < 0
        """

    /// Whether the author's share accepts no more events ahead.
    var isFull: Bool { !LogShare.ofTour.hasRoom(for: .announcement, after: size) }
}
