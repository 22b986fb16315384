import Foundation
import GRDB
import Synchronization
import TourCrypto
import TourModel

extension TourStore {
    /// All tours, the last used first.
    package func tours() throws(StoreError) -> [TourRecord] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT t.id, r.own, r.secrets, r.name, r.used, r.active, r.read_through
                    FROM record AS r JOIN tour AS t ON t.key = r.tour ORDER BY r.used DESC, t.key
                    """)
            return try Row.fetchAll(statement).map { row in
                let tour = try TourID(column: row.data(0))
                let name = try open(row.data(3), table: "record", row: tour.bytes, column: "name")
                var secrets = try open(row.data(2), table: "record", row: tour.bytes, column: "secrets")
                return try TourRecord(
                    tour: tour, ownMember: MemberID(column: row.data(1)), secrets: SecretBytes(taking: &secrets),
                    name: String(decoding: name, as: UTF8.self), usedAt: row.integer(4), active: row.integer(5) != 0,
                    readThrough: LogicalClock(column: row.integer(6)))
            }
        }
    }

    /// Adds or replaces the record of its tour. Durable: losing a key would cost the membership.
    package func saveTour(_ record: TourRecord) throws(StoreError) {
        let row = record.tour.bytes
        try write(durable: true) { db in
            let secrets = record.secrets.withBytes { seal($0, table: "record", row: row, column: "secrets") }
            let name = seal(Array(record.name.utf8), table: "record", row: row, column: "name")
            let statement = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO record (tour, own, secrets, name, used, active, read_through)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """)
            try statement.execute(arguments: [
                db.makeKey(of: record.tour), record.ownMember.column, secrets, name, record.usedAt, record.active,
                record.readThrough.column,
            ])
        }
    }

    /// Records the user's progress in a tour that has a record. Not durable: a power cut may lose the last seconds of
    /// it.
    package func saveProgress(_ tour: TourID, usedAt: Int64, readThrough: LogicalClock) throws(StoreError) {
        try write(durable: false) { db in
            let statement = try db.cachedStatement(
                sql: "UPDATE record SET used = ?, read_through = ? WHERE tour = (SELECT key FROM tour WHERE id = ?)")
            try statement.execute(arguments: [usedAt, readThrough.column, tour.column])
        }
    }

    /// Wipes everything of the tour, its events and files included, from the database and from its log. Copies in flash
    /// memory remain sealed under keys that are gone.
    ///
    /// - Throws: also `busy` when a reader kept the log in use for five seconds: the tour is then gone from the
    ///   database, and goes from the log with the next `checkpoint`.
    package func removeTour(_ tour: TourID) throws(StoreError) {
        try write(durable: true) { db in
            guard let key = try db.key(of: tour) else { return }
            let deletions = [
                "DELETE FROM frontier WHERE author IN (SELECT key FROM author WHERE tour = ?)",
                "DELETE FROM synced WHERE author IN (SELECT key FROM author WHERE tour = ?)",
                "DELETE FROM watermark WHERE author IN (SELECT key FROM author WHERE tour = ?)",
                "DELETE FROM sign WHERE author IN (SELECT key FROM author WHERE tour = ?)",
                "DELETE FROM receipt WHERE author IN (SELECT key FROM author WHERE tour = ?)",
                "DELETE FROM archive WHERE row IN (SELECT row FROM event WHERE tour = ?)",
                "DELETE FROM blob_page WHERE blob IN (SELECT key FROM blob WHERE tour = ?)",
                "DELETE FROM blob WHERE tour = ?",
                "DELETE FROM event WHERE tour = ?", "DELETE FROM batch WHERE tour = ?",
                "DELETE FROM control WHERE tour = ?", "DELETE FROM address WHERE tour = ?",
                "DELETE FROM author WHERE tour = ?", "DELETE FROM record WHERE tour = ?",
                "DELETE FROM tour WHERE key = ?",
            ]
            for sql in deletions { try db.execute(sql: sql, arguments: [key]) }
            logEnds.withLock { $0 = [:] }
        }
        openBlobs.forget { $0.tour == tour }
        blobDirectory.remove(tour)
        try checkpoint(.whole)
    }
}
