import Foundation
import GRDB
import Synchronization
import TourModel

// Events by author, by id and by arrival.
extension TourStore {
    /// The end of every author's log, without authors that have no event.
    package func heads(_ tour: TourID) throws(StoreError) -> [MemberID: StoredHead] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [:] }
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT a.id, e.sequence, e.id, e.clock, e.sealed_bytes, e.control_bytes
                        FROM author AS a JOIN event AS e ON e.author = a.key
                        WHERE a.tour = ? AND e.sequence > 0
                        AND e.sequence = (SELECT max(sequence) FROM event WHERE author = a.key)
                        """),
                arguments: [key])
            var heads: [MemberID: StoredHead] = [:]
            while let row = try rows.next() {
                heads[try MemberID(column: row.data(0))] = try StoredHead(
                    sequence: row.sequence(1), id: EventID(column: row.data(2)),
                    clock: LogicalClock(column: row.integer(3)),
                    size: LogSize(sealed: row.count(4), control: row.count(5)))
            }
            return heads
        }
    }

    /// - Returns: nil when the event is not stored.
    package func event(_ tour: TourID, author: MemberID, sequence: UInt64) throws(StoreError) -> StoredEvent? {
        try read { db in
            guard let key = try db.key(of: author, in: tour) else { return nil }
            let statement = try db.cachedStatement(sql: Self.selection + "WHERE e.author = ? AND e.sequence = ?")
            let row = try Row.fetchOne(statement, arguments: [key, Int64(clamping: sequence)])
            return try row.map(stored)
        }
    }

    /// The ids, by sequence, of one author's control events up to a place of its log, and of the event at that place.
    package func controlIDs(
        _ tour: TourID, author: MemberID, through end: UInt64
    ) throws(StoreError) -> [UInt64: EventID] {
        try read { db in
            guard let key = try db.key(of: author, in: tour) else { return [:] }
            let end = Int64(clamping: end)
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT sequence, id FROM event
                        WHERE author = ? AND sequence BETWEEN 1 AND ? AND (\(StoreSchema.isControl) OR sequence = ?)
                        """),
                arguments: [key, end, end])
            var ids: [UInt64: EventID] = [:]
            while let row = try rows.next() { ids[try row.sequence(0)] = try EventID(column: row.data(1)) }
            return ids
        }
    }

    /// Consecutive stored events of one author, both ends included.
    ///
    /// - Parameter bytesMax: stops before the event that would exceed it, but never before the first.
    package func events(
        _ tour: TourID, author: MemberID, from: UInt64, through: UInt64, bytesMax: Int
    ) throws(StoreError) -> [Event] {
        try read { db in
            guard let key = try db.key(of: author, in: tour) else { return [] }
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT id, bytes FROM event WHERE author = ? AND sequence BETWEEN ? AND ? ORDER BY sequence
                        """),
                arguments: [key, Int64(clamping: from), Int64(clamping: through)])
            var events: [Event] = []
            var total = 0
            while let row = try rows.next() {
                let bytes = try row.bytes(1)
                total += bytes.count
                if total > bytesMax && !events.isEmpty { break }
                events.append(try event(bytes: bytes, id: try EventID(column: row.data(0))))
            }
            return events
        }
    }

    /// Events whose id starts with these digits; at most two, since two make the prefix ambiguous.
    ///
    /// - Parameter idPrefix: up to 64 hexadecimal digits, either case; anything else finds nothing.
    package func events(_ tour: TourID, idPrefix: String) throws(StoreError) -> [StoredEvent] {
        let prefix = idPrefix.lowercased()
        guard let range = Self.prefixRange(prefix) else { return [] }
        return try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: Self.selection + "WHERE e.prefix BETWEEN ? AND ? AND +e.tour = ?"),
                arguments: [range.lowerBound, range.upperBound, key])
            var found: [StoredEvent] = []
            while found.count < 2, let row = try rows.next() {
                let candidate = try stored(row)
                if candidate.event.id.hex.hasPrefix(prefix) { found.append(candidate) }
            }
            return found
        }
    }

    private static func prefixRange(_ prefix: String) -> ClosedRange<Int64>? {
        let digits = prefix.utf8.prefix(16)
        guard prefix.utf8.count <= 64, prefix.utf8.allSatisfy({ isHexDigit($0) }) else { return nil }
        let given = String(decoding: digits, as: UTF8.self)
        let missing = 16 - digits.count
        guard let low = UInt64(given + String(repeating: "0", count: missing), radix: 16),
            let high = UInt64(given + String(repeating: "f", count: missing), radix: 16)
        else { return nil }
        return low.ordered...high.ordered
    }

    private static func isHexDigit(_ digit: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
    }

    /// The smallest sequence above `above` whose clock is at least `clockAtLeast`; nil when there is none.
    package func firstSequence(
        _ tour: TourID, author: MemberID, above: UInt64, clockAtLeast: LogicalClock
    ) throws(StoreError) -> UInt64? {
        try read { db in
            guard let key = try db.key(of: author, in: tour) else { return nil }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT sequence FROM event WHERE author = ? AND sequence > ? AND clock >= ?
                    ORDER BY sequence LIMIT 1
                    """)
            let row = try Row.fetchOne(
                statement, arguments: [key, Int64(clamping: above), clockAtLeast.column])
            return try row?.sequence(0)
        }
    }

    /// Events in the order of arrival, so that a follower can continue where it stopped.
    ///
    /// - Parameter afterRow: the row of the last one seen; 0 for the beginning.
    package func rows(_ tour: TourID, afterRow: Int64, limit: Int) throws(StoreError) -> [ArrivedEvent] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: Self.selection + "WHERE +e.tour = ? AND e.row > ? ORDER BY e.row LIMIT ?")
            return try Row.fetchAll(statement, arguments: [key, afterRow, max(limit, 0)])
                .map { try ArrivedEvent(row: $0.integer(0), stored: stored($0)) }
        }
    }

    /// The last row: every event that arrives in the tour from now on has a higher one. 0 for a tour without stored
    /// events.
    package func lastRow(_ tour: TourID) throws(StoreError) -> Int64 {
        try read { db in
            guard try db.key(of: tour) != nil else { return 0 }
            // The last row of all tours, which takes one look-up: an author's last event need not be the one that
            // arrived last.
            return try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(row) FROM event")) ?? 0
        }
    }

    /// The columns that `stored` reads, from `event AS e`.
    static let selection = """
        SELECT e.row, e.id, e.bytes, e.hops, b.received, e.batch, k.content, e.seen, e.place \
        FROM event AS e JOIN batch AS b ON b.key = e.batch LEFT JOIN archive AS k ON k.row = e.row\u{20}
        """

    /// The event in a row of `selection`.
    func stored(_ row: Row) throws(StoreError) -> StoredEvent {
        let (received, batch) = (try row.integer(4), try row.integer(5))
        let committedAt = commitTimes.withLock { $0[batch] }
        return try StoredEvent(
            event: event(bytes: row.bytes(2), id: EventID(column: row.data(1))),
            place: LogicalClock(column: row.integer(8)), receivedAt: committedAt ?? received,
            hops: min(row.count(3), Limits.hopsMax + 1),
            archived: archived(row.dataIfAny(6), row: row.integer(0)), isSeen: row.integer(7) != 0)
    }
}
