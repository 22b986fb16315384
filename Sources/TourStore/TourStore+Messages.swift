import Foundation
import GRDB
import TourModel

extension TourStore {
    /// Messages in the query's order.
    package func messages(_ tour: TourID, _ query: MessageQuery) throws(StoreError) -> [StoredEvent] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let selection = MessageSelection(tourKey: key, query)
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: selection.listing(descending: query.last)),
                arguments: selection.arguments + [query.limit.map { max($0, 0) } ?? -1])
            var messages: [StoredEvent] = []
            while let row = try rows.next() { messages.append(try stored(row)) }
            return query.last ? messages.reversed() : messages
        }
    }

    /// The next messages of a listing; each call reads the database separately. Messages that arrive between two calls
    /// before the position reached are left out.
    ///
    /// - Returns: at most `count`; none at the end.
    package func next(
        _ cursor: inout MessageCursor, _ tour: TourID, count: Int = 256
    ) throws(StoreError) -> [StoredEvent] {
        if cursor.query.last {
            cursor.query.afterPosition = try positionBeforeLast(tour, cursor.query)
            cursor.query.last = false
        }
        guard cursor.left > 0 else { return [] }
        cursor.query.limit = min(cursor.left, max(count, 1))
        let messages = try messages(tour, cursor.query)
        cursor.left -= messages.count
        guard let end = messages.last else {
            cursor.left = 0
            return messages
        }
        try cursor.query.goOn(from: end)
        return messages
    }

    /// The number of messages, regardless of the query's limit.
    package func count(_ tour: TourID, _ query: MessageQuery) throws(StoreError) -> Int {
        try read { db in
            guard let key = try db.key(of: tour) else { return 0 }
            let selection = MessageSelection(tourKey: key, query)
            return try Int.fetchOne(db.cachedStatement(sql: selection.count), arguments: selection.arguments) ?? 0
        }
    }

    /// Records that these were displayed. Not durable: after a power cut some may be unread again.
    /// - Returns: the author and sequence of each that was not marked before.
    package func markSeen(
        _ tour: TourID, _ ids: some Collection<EventID>
    ) throws(StoreError) -> [(author: MemberID, sequence: UInt64)] {
        guard !ids.isEmpty else { return [] }
        return try write(durable: false) { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: """
                    UPDATE event SET seen = 1 WHERE prefix = ? AND id = ? AND tour = ? AND seen = 0
                    RETURNING (SELECT id FROM author WHERE key = author), abs(sequence)
                    """)
            var marked = [(author: MemberID, sequence: UInt64)]()
            for id in ids {
                let row = try Row.fetchOne(statement, arguments: [id.prefixColumn, id.column, key])
                if let row { marked.append((try MemberID(column: row.data(0)), try row.sequence(1))) }
            }
            return marked
        }
    }

    /// The position behind which the last `limit` messages follow.
    private func positionBeforeLast(_ tour: TourID, _ query: MessageQuery) throws(StoreError) -> MessagePosition? {
        guard let limit = query.limit else { return query.afterPosition }
        return try read { db in
            guard let key = try db.key(of: tour) else { return query.afterPosition }
            let selection = MessageSelection(tourKey: key, query)
            let row = try Row.fetchOne(
                db.cachedStatement(sql: selection.position), arguments: selection.arguments + [max(limit, 0)])
            guard let row else { return query.afterPosition }
            return try MessagePosition(
                place: LogicalClock(column: row.integer(0)), clock: LogicalClock(column: row.integer(1)),
                author: MemberID(column: row.data(2)), sequence: row.sequence(3))
        }
    }
}

/// The SQL of one query. `CROSS JOIN` fixes SQLite's loop order: the index provides the order of places, and
/// only messages at the same place are sorted. An event ahead of its log has a negative sequence.
private struct MessageSelection {
    private(set) var arguments: StatementArguments
    private var condition: String
    private let source: String
    private let order: String

    init(tourKey: Int64, _ query: MessageQuery) {
        let place = query.order == .clock ? "e.clock" : "e.place"
        order = "\(place), e.clock, a.id, abs(e.sequence)"
        let index =
            switch query.order {
            case .clock: "event_announced"
            case .place: query.isUnseen ? "event_unseen" : "event_order"
            }
        source = """
            FROM event AS e INDEXED BY \(index) \
            CROSS JOIN author AS a ON a.key = e.author CROSS JOIN batch AS b ON b.key = e.batch\u{20}
            """
        condition = "WHERE e.tour = ? AND e.\(StoreSchema.isMessage)"
        if query.order == .clock { condition += " AND e.\(StoreSchema.isUrgent)" }
        if query.isUnseen { condition += " AND e.seen = 0" }
        arguments = [tourKey]
        if let position = query.afterPosition {
            condition += " AND \(place) >= ? AND (\(order)) > (?, ?, ?, ?)"
            append(position)
        }
        if let position = query.beforePosition {
            condition += " AND \(place) <= ? AND (\(order)) < (?, ?, ?, ?)"
            append(position)
        }
        if let row = query.throughRow {
            condition += " AND e.row <= ?"
            arguments += [row]
        }
        if let classes = query.classes {
            // With an empty list SQLite could not use the index, which is an error.
            let numbers = [-1] + classes.map { Int($0.rawValue) }.sorted()
            condition += " AND e.class IN (\(numbers.map(String.init).joined(separator: ", ")))"
        }
        if let author = query.excludedAuthor {
            condition += " AND a.id <> ?"
            arguments += [author.column]
        }
        for (author, last) in query.ends.sorted(by: { $0.key < $1.key }) {
            condition += " AND NOT (a.id = ? AND abs(e.sequence) > ?)"
            arguments += [author.column]
            arguments += [Int64(clamping: last)]
        }
    }

    private mutating func append(_ position: MessagePosition) {
        arguments += [
            position.place.column, position.place.column, position.clock.column, position.author.column,
            Int64(clamping: position.sequence),
        ]
    }

    /// Takes the limit as a further argument; -1 for none.
    func listing(descending: Bool) -> String {
        "SELECT e.row, e.id, e.bytes, e.hops, b.received, e.batch, k.content, e.seen, e.place "
            + "\(source)LEFT JOIN archive AS k ON k.row = e.row \(condition) \(ordered(descending: descending)) LIMIT ?"
    }

    /// Takes a further argument: the number of last messages to skip.
    var position: String {
        "SELECT \(order) \(source)\(condition) \(ordered(descending: true)) LIMIT 1 OFFSET ?"
    }

    var count: String { "SELECT count(*) \(source)\(condition)" }

    private func ordered(descending: Bool) -> String {
        "ORDER BY " + (descending ? order.replacing(",", with: " DESC,") + " DESC" : order)
    }
}
