import TourModel
import TourNotebook

extension PageRequest {
    /// A page of a notebook: it has more rows than a page of other lists, since many clients ask for no second page.
    static func ofItems(_ call: Call) throws(Failure) -> PageRequest {
        try PageRequest(call, rowsMax: ServerLimits.itemRowsMax)
    }

    /// The cursor's place: the time of creation in seconds since 1970, and the id within that second.
    fileprivate var place: (created: Int64, id: [UInt8]) {
        let key = cursor.prefix(24) + [UInt8](repeating: 0, count: max(0, 24 - cursor.count))
        let created = key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (Int64(bitPattern: created) ^ .min, Array(key.dropFirst(8)))
    }
}

extension SQL {
    /// One page of the items of a kind, the oldest first. The page ends early when the contents are long.
    func notebookPage(
        _ kind: NotebookKind, of account: Int64, _ request: PageRequest
    ) throws(Failure) -> Page<NotebookRow> {
        var (created, id) = request.place
        var page = [NotebookRow]()
        var room = ServerLimits.itemAnswerBytes
        while true {
            let found = try rows(
                """
                SELECT \(NotebookRow.columns) FROM notebook
                WHERE account = $1 AND kind = $2 AND deleted = 0 AND (created, id) > ($3, $4)
                ORDER BY created, id LIMIT $5
                """,
                [
                    .integer(account), .text(kind.rawValue), .integer(created), .bytes(id),
                    .integer(Int64(ServerLimits.itemsReadAtOnce)),
                ])
            for row in found {
                let row = try NotebookRow(row)
                room -= row.body.utf8.count
                guard page.isEmpty || page.count < request.limit && room >= 0 else {
                    return Page(rows: page, next: page.last.map(\.pageKey))
                }
                page.append(row)
                (created, id) = (row.created, row.id.bytes)
            }
            guard found.count == ServerLimits.itemsReadAtOnce else { return Page(rows: page, next: nil) }
        }
    }
}

extension NotebookRow {
    /// The item's key among those of its kind, which never changes. Times before 1970 come first.
    var pageKey: [UInt8] { .pageKey(created ^ .min, id.bytes) }
}
