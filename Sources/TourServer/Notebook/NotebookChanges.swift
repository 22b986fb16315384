import TourNotebook

/// The changes in a notebook behind a stamp.
struct NotebookChanges: Sendable {
    /// In the order of their stamps.
    var rows: [NotebookRow] = []
    /// The last row's stamp if more changes follow; else nil.
    var next: Int64?
}

extension SQL {
    /// - Parameter cursor: the last stamp that the reader has. With nil, or a stamp that this database never issued (it
    ///   is an older copy), the changes begin at the first one.
    /// - Parameter last: the stamp of the last change.
    func changes(
        of account: Int64, after cursor: Int64?, last: Int64, kinds: Set<NotebookKind>, limit: Int
    ) throws(Failure) -> NotebookChanges {
        var changes = NotebookChanges()
        guard !kinds.isEmpty else { return changes }
        var stamp = cursor.map { $0 > last ? 0 : $0 } ?? 0
        var bytes = 0
        let names = kinds.map(\.rawValue).sorted()
        let list = names.indices.map { "$\($0 + 3)" }.joined(separator: ", ")
        let statement = """
            SELECT \(NotebookRow.columns) FROM notebook
            WHERE account = $1 AND stamp > $2 AND kind IN (\(list)) ORDER BY stamp LIMIT \(ServerLimits.deltaReadAtOnce)
            """
        while true {
            let values: [SQLValue] = [.integer(account), .integer(stamp)] + names.map { .text($0) }
            let found = try rows(statement, values)
            for row in found {
                guard changes.rows.count < limit, bytes <= ServerLimits.deltaAnswerBytes else {
                    changes.next = stamp
                    return changes
                }
                let change = try NotebookRow(row)
                changes.rows.append(change)
                bytes += change.body.utf8.count
                stamp = change.stamp
            }
            guard found.count == ServerLimits.deltaReadAtOnce else { return changes }
        }
    }
}
