import Foundation
import GRDB
import TourModel

/// Since when a server has something, and who reported it. Source: `Protocol/09-mailbox.md`, "Synced".
package struct SyncedRecord: Hashable, Sendable {
    /// The server's time, in milliseconds since 1970.
    package var at: Int64
    /// The member that reported it; nil: the server told us.
    package var by: MemberID?

    package init(at: Int64, by: MemberID?) {
        self.at = at
        self.by = by
    }
}

extension TourStore {
    /// For each author how far a server is known to have the log, from all reports and from its own answers.
    package func syncedHeads(_ tour: TourID) throws(StoreError) -> [MemberID: (known: UInt64, told: UInt64)] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [:] }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT a.id, max(s.through), max(CASE WHEN s.by IS NULL THEN s.through ELSE 0 END)
                    FROM author AS a JOIN synced AS s ON s.author = a.key WHERE a.tour = ? GROUP BY a.key
                    """)
            var heads: [MemberID: (known: UInt64, told: UInt64)] = [:]
            for row in try Row.fetchAll(statement, arguments: [key]) {
                heads[try MemberID(column: row.data(0))] = (try row.sequence(1), try row.sequence(2))
            }
            return heads
        }
    }

    /// Records what a server holds. Its own answer replaces members' reports about the same events; earlier knowledge
    /// keeps its time. Not durable: the server sends it again.
    /// - Parameter at: the server's time, in milliseconds since 1970.
    /// - Parameter by: the member that reported it; nil: the server.
    package func recordSynced(
        _ tour: TourID, heads: [MemberID: UInt64], at: Int64, by: MemberID?
    ) throws(StoreError) {
        guard !heads.isEmpty else { return }
        try write(durable: false) { db in
            let tourKey = try db.makeKey(of: tour)
            let teller = try by.map { try db.makeKey(of: $0, tourKey: tourKey) }
            for (author, head) in heads {
                let key = try db.makeKey(of: author, tourKey: tourKey)
                let through = Int64(clamping: head)
                if teller == nil {
                    try db.cachedStatement(
                        sql: "DELETE FROM synced WHERE author = ? AND through <= ? AND by IS NOT NULL"
                    ).execute(arguments: [key, through])
                }
                try db.cachedStatement(
                    sql: """
                        INSERT INTO synced (author, through, at, by) SELECT ?1, ?2, ?3, ?4
                        WHERE NOT EXISTS (SELECT 1 FROM synced WHERE author = ?1 AND through >= ?2
                        AND (by IS NULL OR ?4 IS NOT NULL))
                        """
                ).execute(arguments: [key, through, at, teller])
            }
        }
    }

    /// - Returns: nil when no server is known to have it.
    package func syncedRecord(
        _ tour: TourID, author: MemberID, sequence: UInt64
    ) throws(StoreError) -> SyncedRecord? {
        try read { db in
            guard let key = try db.key(of: author, in: tour) else { return nil }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT s.at, a.id FROM synced AS s LEFT JOIN author AS a ON a.key = s.by
                    WHERE s.author = ? AND s.through >= ? ORDER BY s.through LIMIT 1
                    """)
            guard let row = try Row.fetchOne(statement, arguments: [key, Int64(clamping: sequence)]) else {
                return nil
            }
            return try SyncedRecord(at: row.integer(0), by: row.dataIfAny(1).map { try MemberID(column: $0) })
        }
    }
}
