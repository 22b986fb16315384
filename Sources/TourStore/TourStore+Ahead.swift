import Foundation
import GRDB
import TourModel

// Urgent events stored before earlier ones of their authors. They are listed and found like all others; logs include
// them only once they reach them. Source: `Protocol/06-replication.md`, "Ahead of the log".
extension TourStore {
    /// Stores events ahead of their authors' logs, with the number of links that each crossed. Once the log reaches
    /// such an event, `append` adds it to the log, or drops it if it does not continue the log.
    ///
    /// - Returns: the new ones; of two at one place the first stays. The caller bounds their number.
    package func append(
        ahead events: [(event: Event, hops: Int)], tour: TourID
    ) throws(StoreError) -> [ArrivedEvent] {
        guard !events.isEmpty else { return [] }
        let (added, receivedAt) = try appending(to: tour, durable: false) { db, ends, batchKey in
            var added: [(row: Int64, event: Event, place: LogicalClock, hops: Int)] = []
            for (event, hops) in events {
                let header = event.header
                var log = try ends.end(of: header.author, db)
                guard let sequence = Int64(exactly: header.sequence), header.sequence > log.sequence, !log.isFull,
                    log.ahead[header.sequence] == nil
                else { continue }
                let place = place(of: header)
                try db.cachedStatement(sql: Self.insertion)
                    .execute(arguments: columns(of: event, place, hops, -sequence, log, ends.tourKey, batchKey))
                let row = db.lastInsertedRowID
                log.ahead[header.sequence] = LogEnd.Ahead(
                    row: row, id: event.id, previous: header.previous, byteCount: event.bytes.count)
                ends.authors[header.author] = log
                added.append((row, event, place, hops))
            }
            return added
        }
        return added.map { row, event, place, hops in
            ArrivedEvent(
                row: row, stored: StoredEvent(event: event, place: place, receivedAt: receivedAt, hops: hops))
        }
    }

    /// The events ahead of their authors' logs, in the order of arrival.
    package func aheadEvents(_ tour: TourID) throws(StoreError) -> [Event] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT e.id, e.bytes FROM author AS a CROSS JOIN event AS e ON e.author = a.key
                    WHERE a.tour = ? AND e.sequence < 0 ORDER BY e.row
                    """)
            return try Row.fetchAll(statement, arguments: [key])
                .map { try event(bytes: $0.bytes(1), id: EventID(column: $0.data(0))) }
        }
    }

    /// The last urgent events of one author in an inclusive range of sequences, those ahead of the log included, the
    /// last first.
    package func urgentEvents(
        _ tour: TourID, author: MemberID, from: UInt64, through: UInt64, limit: Int
    ) throws(StoreError) -> [StoredEvent] {
        try read { db in
            guard let key = try db.key(of: author, in: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: Self.selection + """
                    WHERE e.row IN (
                        SELECT row FROM event INDEXED BY event_urgent
                        WHERE author = ? AND \(StoreSchema.isUrgent) AND abs(sequence) BETWEEN ? AND ?
                        ORDER BY abs(sequence) DESC LIMIT ?)
                    ORDER BY abs(e.sequence) DESC
                    """)
            return try Row.fetchAll(
                statement, arguments: [key, Int64(clamping: from), Int64(clamping: through), max(limit, 0)]
            ).map(stored)
        }
    }

    /// Adds the next event ahead to the log that has reached it; drops it if it does not continue the log, and drops
    /// all of them when the author's share is used up. Call it inside a write.
    /// - Returns: whether the log grew.
    func settle(_ log: inout LogEnd, _ db: Database) throws -> Bool {
        guard !log.isFull else {
            for early in log.ahead.values { try forget(early.row, db) }
            log.ahead = [:]
            return false
        }
        guard let next = log.ahead.removeValue(forKey: log.sequence + 1) else { return false }
        guard next.previous == log.head else {
            try forget(next.row, db)
            return false
        }
        log.size.add(.announcement, byteCount: next.byteCount)
        try turn(next.row, log.size, db)
        log.sequence += 1
        log.head = next.id
        return true
    }

    /// Merges an event of the log with one stored ahead at its place: the same event keeps its row, another one is
    /// dropped. Call it inside a write.
    /// - Returns: the row, if it was the same event.
    func merge(_ event: Event, into log: inout LogEnd, _ db: Database) throws -> Int64? {
        guard let early = log.ahead.removeValue(forKey: event.header.sequence) else { return nil }
        guard early.id == event.id else {
            try forget(early.row, db)
            return nil
        }
        try turn(early.row, log.size, db)
        return early.row
    }

    private func turn(_ row: Int64, _ size: LogSize, _ db: Database) throws {
        let sql = "UPDATE event SET sequence = -sequence, sealed_bytes = ?, control_bytes = ? WHERE row = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [size.sealed, size.control, row])
    }

    private func forget(_ row: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM event WHERE row = ?").execute(arguments: [row])
    }
}
