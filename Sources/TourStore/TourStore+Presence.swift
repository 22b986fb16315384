import Foundation
import GRDB
import TourModel

// What a node knows of other members' presence and receipts: one row for each member.
extension TourStore {
    /// The tour's last signs of life, by member id.
    package func signs(_ tour: TourID) throws(StoreError) -> [SignRecord] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT a.id, s.seen, s.counter FROM author AS a JOIN sign AS s ON s.author = a.key
                    WHERE a.tour = ? ORDER BY a.id
                    """)
            return try Row.fetchAll(statement, arguments: [key]).map { row in
                try SignRecord(
                    member: MemberID(column: row.data(0)), seenAt: row.integer(1),
                    counter: UInt64(ordered: row.integer(2)))
            }
        }
    }

    /// The stored receipts of each member, as they were passed in.
    package func receiptSteps(_ tour: TourID) throws(StoreError) -> [MemberID: [UInt8]] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [:] }
            let statement = try db.cachedStatement(
                sql: "SELECT a.id, r.steps FROM author AS a JOIN receipt AS r ON r.author = a.key WHERE a.tour = ?")
            var steps = [MemberID: [UInt8]]()
            for row in try Row.fetchAll(statement, arguments: [key]) {
                steps[try MemberID(column: row.data(0))] = try row.bytes(1)
            }
            return steps
        }
    }

    /// Replaces the stored values of these members, in one transaction. Not durable: a power cut may lose the last
    /// minutes.
    package func keepPresence(
        _ tour: TourID, signs: [SignRecord], receipts: [MemberID: [UInt8]]
    ) throws(StoreError) {
        guard !signs.isEmpty || !receipts.isEmpty else { return }
        try write(durable: false) { db in
            let tourKey = try db.makeKey(of: tour)
            let sign = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO sign (author, seen, counter) VALUES (?, ?, ?)")
            for record in signs {
                let key = try db.makeKey(of: record.member, tourKey: tourKey)
                try sign.execute(arguments: [key, record.seenAt, record.counter.ordered])
            }
            let receipt = try db.cachedStatement(sql: "INSERT OR REPLACE INTO receipt (author, steps) VALUES (?, ?)")
            for (member, steps) in receipts {
                try receipt.execute(arguments: [db.makeKey(of: member, tourKey: tourKey), Data(steps)])
            }
        }
    }
}
