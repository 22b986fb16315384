import GRDB
import ServerBase

extension SQLiteStorage {
    /// Rows that are read from a table at a time.
    private static let pageRows = 200

    /// Passes all rows of a table to `take`, some at a time, for a thread that may block.
    package func readRows(
        of table: String, _ columns: [String], _ take: ([[SQLValue]]) throws(Failure) -> Void
    ) throws(Failure) {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        var last = Int64.min
        while true {
            let behind = last
            let page = try readNow { sql throws(Failure) in
                try sql.rows(
                    """
                    SELECT _rowid_, \(names) FROM "\(table)" WHERE _rowid_ > $1 ORDER BY _rowid_ LIMIT \(Self.pageRows)
                    """, [.integer(behind)])
            }
            guard let end = page.last else { return }
            last = try end.integer(0)
            try take(page.map { Array($0.values.dropFirst()) })
        }
    }
}
