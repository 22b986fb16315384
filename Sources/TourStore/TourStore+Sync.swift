import Foundation
import GRDB
import TourModel

// The records of peers: control events, claims, watermarks and addresses.
extension TourStore {
    /// All control events of the tour, in the order in which they were added.
    package func controlEvents(_ tour: TourID) throws(StoreError) -> [[UInt8]] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(sql: "SELECT bytes FROM control WHERE tour = ? ORDER BY row")
            return try Row.fetchAll(statement, arguments: [key]).map { try $0.bytes(0) }
        }
    }

    /// The control events in these authors' logs, by sequence.
    package func controlEvents(_ tour: TourID, of authors: Set<MemberID>) throws(StoreError) -> [[UInt8]] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT e.bytes FROM author AS a JOIN event AS e ON e.author = a.key
                    WHERE a.tour = ? AND a.id = ? AND e.class = 0 AND e.sequence > 0 ORDER BY e.sequence
                    """)
            return try authors.flatMap { author in
                try Row.fetchAll(statement, arguments: [key, author.column]).map { try $0.bytes(0) }
            }
        }
    }

    /// Adds control events that arrived ahead of their authors' logs; `append` adds those in a log.
    /// - Parameter durable: whether they are on the disk when this returns; lost ones arrive again.
    package func addControlEvents(
        _ tour: TourID, _ events: [(id: EventID, bytes: [UInt8])], durable: Bool
    ) throws(StoreError) {
        guard !events.isEmpty else { return }
        try write(durable: durable) { db in
            let key = try db.makeKey(of: tour)
            for event in events { try insert(control: event.id, event.bytes, key, db) }
        }
    }

    /// Removes control events that no log holds and that no longer count.
    package func removeControlEvents(_ tour: TourID, _ ids: Set<EventID>) throws(StoreError) {
        try write(durable: false) { db in
            guard let key = try db.key(of: tour) else { return }
            let deletion = try db.cachedStatement(sql: "DELETE FROM control WHERE tour = ? AND id = ?")
            for id in ids { try deletion.execute(arguments: [key, id.column]) }
        }
    }

    /// The stored claims of all members, by member id.
    package func frontierRows(_ tour: TourID) throws(StoreError) -> [FrontierRecord] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT a.id, f.counter, f.bytes, f.signature, f.received
                    FROM author AS a JOIN frontier AS f ON f.author = a.key WHERE a.tour = ?
                    ORDER BY a.id, f.counter
                    """)
            return try Row.fetchAll(statement, arguments: [key]).map { row in
                try FrontierRecord(
                    member: MemberID(column: row.data(0)), counter: UInt64(ordered: row.integer(1)),
                    bytes: row.bytes(2), signature: row.bytes(3), receivedAt: row.integer(4))
            }
        }
    }

    /// Replaces all stored claims of the members in these rows. Not durable: peers send them again.
    package func saveFrontierRows(_ tour: TourID, _ rows: [FrontierRecord]) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try write(durable: false) { db in
            let tourKey = try db.makeKey(of: tour)
            let deletion = try db.cachedStatement(sql: "DELETE FROM frontier WHERE author = ?")
            let insertion = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO frontier (author, counter, bytes, signature, received)
                    VALUES (?, ?, ?, ?, ?)
                    """)
            for (member, rows) in Dictionary(grouping: rows, by: \.member) {
                let key = try db.makeKey(of: member, tourKey: tourKey)
                try deletion.execute(arguments: [key])
                for row in rows {
                    try insertion.execute(arguments: [
                        key, row.counter.ordered, Data(row.bytes), Data(row.signature), row.receivedAt,
                    ])
                }
            }
        }
    }

    /// The raised watermarks, by author.
    package func watermarks(_ tour: TourID) throws(StoreError) -> [MemberID: Watermark] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [:] }
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT a.id, w.sent, w.delivered, w.read, w.synced
                        FROM author AS a JOIN watermark AS w ON w.author = a.key WHERE a.tour = ?
                        """),
                arguments: [key])
            var watermarks: [MemberID: Watermark] = [:]
            while let row = try rows.next() {
                let author = try MemberID(column: row.data(0))
                watermarks[author] = try Watermark(
                    author: author, sentThrough: row.sequence(1), deliveredThrough: row.sequence(2),
                    readThrough: row.sequence(3), syncedThrough: row.sequence(4))
            }
            return watermarks
        }
    }

    /// Raises watermarks; ignores lower values. Not durable: receipts arrive again.
    package func raiseWatermarks(_ tour: TourID, _ watermarks: [Watermark]) throws(StoreError) {
        guard !watermarks.isEmpty else { return }
        try write(durable: false) { db in
            let tourKey = try db.makeKey(of: tour)
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO watermark (author, sent, delivered, read, synced) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET sent = max(sent, excluded.sent),
                    delivered = max(delivered, excluded.delivered), read = max(read, excluded.read),
                    synced = max(synced, excluded.synced)
                    """)
            for watermark in watermarks {
                try statement.execute(arguments: [
                    db.makeKey(of: watermark.author, tourKey: tourKey), Int64(clamping: watermark.sentThrough),
                    Int64(clamping: watermark.deliveredThrough), Int64(clamping: watermark.readThrough),
                    Int64(clamping: watermark.syncedThrough),
                ])
            }
        }
    }

    /// Remembered addresses, the last used first; at most `addressesMax`.
    package func addresses(_ tour: TourID) throws(StoreError) -> [RememberedAddress] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: "SELECT host, port, used FROM address WHERE tour = ? ORDER BY used DESC, host, port")
            return try Row.fetchAll(statement, arguments: [key]).map { row in
                try RememberedAddress(
                    address: row.text(0), port: UInt16(clamping: row.integer(1)), usedAt: row.integer(2))
            }
        }
    }

    /// Adds the address or updates its time; removes the longest unused one when there are too many.
    package func rememberAddress(_ tour: TourID, _ address: RememberedAddress) throws(StoreError) {
        try write(durable: false) { db in
            let key = try db.makeKey(of: tour)
            try db.cachedStatement(
                sql: """
                    INSERT INTO address (tour, host, port, used) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET used = max(used, excluded.used)
                    """
            ).execute(arguments: [key, address.address, Int64(address.port), address.usedAt])
            try db.cachedStatement(
                sql: """
                    DELETE FROM address WHERE tour = ?1 AND (host, port) NOT IN
                    (SELECT host, port FROM address WHERE tour = ?1 ORDER BY used DESC, host, port LIMIT ?2)
                    """
            ).execute(arguments: [key, Self.addressesMax])
        }
    }
}
