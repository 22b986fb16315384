import GRDB
import TourModel

extension TourStore {
    /// The events of class profile up to `Limits.decorationBytesMax`, in the tour's order: names and withdrawals, all
    /// of which a node reads at its start.
    package func profileEvents(_ tour: TourID) throws(StoreError) -> [StoredEvent] {
        try read { db in
            guard let key = try db.key(of: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: Self.selection
                    + "WHERE e.tour = ? AND e.\(StoreSchema.isProfile) AND length(e.bytes) <= ? ORDER BY e.row")
            return try Row.fetchAll(statement, arguments: [key, Limits.decorationBytesMax])
                .map(stored)
                .sorted { Event.precedes($0.event, $1.event) }
        }
    }

    /// Consecutive events of one author with their rows, a few hundred at most.
    package func stored(
        _ tour: TourID, author: MemberID, from: UInt64, through: UInt64, limit: Int = 512
    ) throws(StoreError) -> [ArrivedEvent] {
        try read { db in
            guard let key = try db.key(of: author, in: tour) else { return [] }
            let statement = try db.cachedStatement(
                sql: Self.selection + "WHERE e.author = ? AND e.sequence BETWEEN ? AND ? ORDER BY e.sequence LIMIT ?")
            return try Row.fetchAll(
                statement, arguments: [key, Int64(clamping: from), Int64(clamping: through), limit]
            ).map { try ArrivedEvent(row: $0.integer(0), stored: stored($0)) }
        }
    }
}
