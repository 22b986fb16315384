import GRDB
import TourModel

/// Where a tour's logs end, as the writer remembers it, so that an append reads nothing.
struct LogEnds {
    let tourKey: Int64
    var authors: [MemberID: LogEnd] = [:]
}

/// Where one author's log ends.
struct LogEnd {
    /// The author's key.
    let author: Int64
    var sequence: UInt64 = 0
    var head = EventID.none

    /// As it is stored. Adds the author when it is new; inside a write only.
    init(_ author: MemberID, tourKey: Int64, _ db: Database) throws {
        self.author = try db.makeKey(of: author, tourKey: tourKey)
        let last = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT sequence, id FROM event WHERE author = ? ORDER BY sequence DESC LIMIT 1"),
            arguments: [self.author])
        guard let last else { return }
        sequence = last.sequence(0)
        head = try EventID(column: last.data(1))
    }
}
