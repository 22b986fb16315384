import Foundation
import GRDB
import Synchronization
import TourModel

extension TourStore {
    /// Adds events in one transaction: all or none.
    ///
    /// - Parameter events: with the number of links that each crossed; each must follow its author's stored log
    ///   (sequence one higher, `previous` the id of the head), counting earlier ones in the array and those stored
    ///   ahead of the log.
    /// - Parameter durable: true for our own events, which must never be lost once sent (a sequence used twice is a
    ///   fork); false for others', which the peers still have.
    /// - Returns: the events in the same order, with their rows and the time taken after the commit. A later append
    ///   stores that time; if the process is killed before, the time just before the commit remains.
    /// - Throws: `chainBroken`, `diskFull`, `readOnly` and others; then nothing was stored.
    package func append(
        _ events: [(event: Event, hops: Int)], tour: TourID, durable: Bool
    ) throws(StoreError) -> [ArrivedEvent] {
        guard !events.isEmpty else { return [] }
        let (rows, receivedAt) = try appending(to: tour, durable: durable) { db, ends, batchKey in
            try insert(events, &ends, batchKey: batchKey, db)
        }
        return zip(events, rows).map { item, added in
            ArrivedEvent(
                row: added.row,
                stored: StoredEvent(event: item.event, place: added.place, receivedAt: receivedAt, hops: item.hops),
                wasAhead: added.wasAhead)
        }
    }

    /// One transaction that adds events, and maintains their commit times and the ends of logs.
    func appending<Value>(
        to tour: TourID, durable: Bool, _ body: (Database, inout LogEnds, _ batchKey: Int64) throws -> Value
    ) throws(StoreError) -> (value: Value, receivedAt: Int64) {
        let times = commitTimes.withLock { $0.due }
        var receivedAt = now()
        var batchKey: Int64 = 0
        var changed: [TourID: LogEnds] = [:]
        let value = try write(
            durable: durable,
            committed: {
                receivedAt = now()
                logEnds.withLock { $0 = changed }
                commitTimes.withLock { $0.commit(batchKey, at: receivedAt, wrote: times) }
            },
            { db in
                try save(times, db)
                // Taken out while it changes: after a failed transaction it is empty and read again.
                var tours = logEnds.withLock { tours in
                    defer { tours = [:] }
                    return tours
                }
                var ends = try tours[tour] ?? LogEnds(tourKey: db.makeKey(of: tour))
                try db.cachedStatement(sql: Self.batchInsertion).execute(arguments: [ends.tourKey, receivedAt])
                batchKey = db.lastInsertedRowID
                let added = try body(db, &ends, batchKey)
                tours[tour] = ends
                changed = tours
                return added
            })
        return (value, receivedAt)
    }

    /// Adds a control event to its own table, since these travel ahead of their authors' logs; an existing one stays.
    /// Call it inside a write.
    func insert(control id: EventID, _ bytes: [UInt8], _ tourKey: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO control (tour, id, bytes) VALUES (?, ?, ?)")
            .execute(arguments: [tourKey, id.column, Data(bytes)])
    }

    /// Call it inside a write.
    func save(_ times: [CommitTimes.Entry], _ db: Database) throws {
        for entry in times {
            try db.cachedStatement(sql: Self.batchTime).execute(arguments: [entry.time, entry.batch])
        }
    }

    /// Compiles the statements of an append on the writing connection: otherwise the first message waits for that.
    static func prepareAppend(_ db: Database) throws {
        for sql in [batchInsertion, batchTime, insertion, LogEnd.lastEvent, LogEnd.eventsAhead] {
            _ = try db.cachedStatement(sql: sql)
        }
    }

    private static let batchInsertion = "INSERT INTO batch (tour, received) VALUES (?, ?)"
    private static let batchTime = "UPDATE batch SET received = ? WHERE key = ?"

    /// - Returns: the rows, in order, and whether each event was already stored ahead of its log.
    private func insert(
        _ events: [(event: Event, hops: Int)], _ ends: inout LogEnds, batchKey: Int64, _ db: Database
    ) throws -> [(row: Int64, place: LogicalClock, wasAhead: Bool)] {
        let statement = try db.cachedStatement(sql: Self.insertion)
        var rows: [(row: Int64, place: LogicalClock, wasAhead: Bool)] = []
        rows.reserveCapacity(events.count)
        var caughtUp: Set<MemberID> = []
        for (event, hops) in events {
            let header = event.header
            var log = try ends.end(of: header.author, db)
            // Events stored ahead fill the gap.
            while log.sequence + 1 < header.sequence, try settle(&log, db) {}
            guard header.sequence == log.sequence + 1, header.previous == log.head else {
                throw StoreError.chainBroken(author: header.author, sequence: header.sequence)
            }
            log.size.add(header.eventClass, byteCount: event.bytes.count)
            let place = place(of: header)
            if let row = try merge(event, into: &log, db) {
                rows.append((row, place, true))
            } else {
                try statement.execute(
                    arguments: columns(
                        of: event, place, hops, Int64(clamping: header.sequence), log, ends.tourKey, batchKey))
                rows.append((db.lastInsertedRowID, place, false))
            }
            if header.eventClass == .control { try insert(control: event.id, event.bytes, ends.tourKey, db) }
            log.sequence = header.sequence
            log.head = event.id
            ends.authors[header.author] = log
            if !log.ahead.isEmpty { caughtUp.insert(header.author) }
        }
        for author in caughtUp {
            var log = try ends.end(of: author, db)
            while try settle(&log, db) {}
            ends.authors[author] = log
        }
        return rows
    }

    /// Its arguments are those of `columns`.
    static let insertion = """
        INSERT INTO event (
            tour, author, sequence, clock, place, class, prefix, batch, hops, id, bytes, sealed_bytes, control_bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Where an event stands in listings: at its clock, or where it arrives if that clock is too far ahead to be
    /// believed. Else a message of the year 9999 would stand below all others for the tour's life.
    func place(of header: EventHeader) -> LogicalClock {
        let arrivedAt = now() / 1_000
        return header.clock.isCredible(wallMilliseconds: arrivedAt)
            ? header.clock : LogicalClock(milliseconds: arrivedAt)
    }

    /// - Parameter sequence: negative for an event ahead of its log.
    func columns(
        of event: Event, _ place: LogicalClock, _ hops: Int, _ sequence: Int64, _ log: LogEnd, _ tourKey: Int64,
        _ batchKey: Int64
    ) -> StatementArguments {
        let header = event.header
        return [
            tourKey, log.author, sequence, header.clock.column, place.column, Int64(header.eventClass.rawValue),
            event.id.prefixColumn, batchKey, hops, event.id.column, Data(event.bytes), log.size.sealed,
            log.size.control,
        ]
    }
}
