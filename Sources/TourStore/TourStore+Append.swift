import Foundation
import GRDB
import TourModel

extension TourStore {
    /// Adds events in one transaction: all or none.
    ///
    /// - Parameter events: with the links each crossed; each must follow its author's stored log (sequence one higher,
    ///   `previous` the id of the head), counting those before it in the array.
    /// - Parameter durable: true for our own events, which must never be lost once they were sent (a sequence used
    ///   twice is a fork); false for others', which the peers still have.
    /// - Returns: in the same order, with the time taken after the commit. That time is stored too, without waiting for
    ///   the disk; should that second write fail or a crash come between, the time just before the commit stands.
    /// - Throws: `chainBroken`, `diskFull`, `readOnly` and the rest; nothing was stored then.
    package func append(
        _ events: [(event: Event, hops: Int)], tour: TourID, durable: Bool
    ) throws(StoreError) -> [StoredEvent] {
        guard !events.isEmpty else { return [] }
        var receivedAt = now()
        var batchKey: Int64 = 0
        try write(
            durable: durable,
            committed: { db in receivedAt = stamp(batch: batchKey, before: receivedAt, db) },
            { db in
                let tourKey = try db.makeKey(of: tour)
                try db.cachedStatement(sql: "INSERT INTO batch (tour, received) VALUES (?, ?)")
                    .execute(arguments: [tourKey, receivedAt])
                batchKey = db.lastInsertedRowID
                try insert(events, tourKey: tourKey, batchKey: batchKey, db)
            })
        return events.map { StoredEvent(event: $0.event, receivedAt: receivedAt, hops: $0.hops) }
    }

    /// - Returns: what the batch's time now is.
    private func stamp(batch: Int64, before: Int64, _ db: Database) -> Int64 {
        let after = now()
        do {
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.cachedStatement(sql: "UPDATE batch SET received = ? WHERE key = ?")
                .execute(arguments: [after, batch])
            return after
        } catch {
            return before
        }
    }

    private func insert(
        _ events: [(event: Event, hops: Int)], tourKey: Int64, batchKey: Int64, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO event (tour, author, sequence, clock, class, prefix, batch, hops, id, bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        var logs: [MemberID: AuthorLog] = [:]
        for (event, hops) in events {
            let header = event.header
            var log = try logs[header.author] ?? AuthorLog(header.author, tourKey: tourKey, db)
            guard header.sequence == log.sequence + 1, header.previous == log.head else {
                throw StoreError.chainBroken(author: header.author, sequence: header.sequence)
            }
            try statement.execute(arguments: [
                tourKey, log.key, Int64(clamping: header.sequence), header.clock.column,
                Int64(header.eventClass.rawValue), event.id.prefixColumn, batchKey, hops, event.id.column,
                Data(event.bytes),
            ])
            log.sequence = header.sequence
            log.head = event.id
            log.clock = header.clock
            logs[header.author] = log
        }
        for log in logs.values { try log.save(db) }
    }
}

/// One author's head during an append.
private struct AuthorLog {
    let key: Int64
    var sequence: UInt64 = 0
    var head = EventID.none
    var clock = LogicalClock.zero

    init(_ author: MemberID, tourKey: Int64, _ db: Database) throws {
        key = try db.makeKey(of: author, tourKey: tourKey)
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT sequence, head FROM author WHERE key = ?"), arguments: [key])
        guard let row, row.integer(0) > 0 else { return }
        sequence = row.sequence(0)
        head = try EventID(column: row.data(1))
    }

    func save(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE author SET sequence = ?, head = ?, clock = ? WHERE key = ?")
            .execute(arguments: [Int64(clamping: sequence), head.column, clock.column, key])
    }
}
