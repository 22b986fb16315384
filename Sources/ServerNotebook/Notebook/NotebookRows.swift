import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// The notebook of one account inside one transaction. It owns the account's rows of `notebook` and
/// `notebook_accounts`, and no function takes the number of another account.
package struct NotebookRows {
    let sql: any SQL
    let account: Int64
    /// The writer that a device without a name of its own is; nil where the caller has no session.
    let session: String?
    /// nil for a notebook that is only read or deleted.
    let room: AccountRoom?

    /// The notebook of the account that asks.
    init(sql: any SQL, of caller: AuthenticatedAccount) {
        self.sql = sql
        account = caller.id
        session = caller.session.map { "session \($0)" }
        room = caller.room
    }

    /// The notebook of an account that is exported or deleted, by its owner or by the operator.
    package init(sql: any SQL, of account: Account) {
        self.sql = sql
        self.account = account.id
        session = nil
        room = nil
    }

    func row(_ id: NotebookID) throws(Failure) -> NotebookRow? {
        let row = try sql.row(
            "SELECT \(NotebookRow.columns) FROM notebook WHERE account = $1 AND id = $2",
            [.integer(account), .bytes(id.bytes)])
        return try row.map { row throws(Failure) in try NotebookRow(row) }
    }

    /// The account's own item, not deleted.
    /// - Parameter id: nil for a name that is none.
    /// - Parameter field: the request field with the name; nil for a name in the path.
    /// - Throws: `notFound`; `forbidden` for an item of another account.
    func owned(_ id: NotebookID?, _ kind: NotebookKind, field: String? = nil) throws(Failure) -> NotebookItem {
        guard let id else { throw Failure(.notFound, field: field) }
        let held = try row(id)
        if let held, !held.isDeleted, held.kind == kind { return try held.item() }
        guard held == nil, try owner(of: id, kind) != nil else { throw Failure(.notFound, field: field) }
        throw Failure(.forbidden, field: field)
    }

    /// The caller's note of this number.
    /// - Parameter number: as the request's path has it.
    /// - Throws: `notFound`; `forbidden` for another account's note.
    func note(_ number: String) throws(Failure) -> NotebookRow {
        guard let number = number.pathNumber, number > 0, let found = try anyNote(number) else {
            throw Failure(.notFound)
        }
        guard found.account == account else { throw Failure(.forbidden) }
        return found.row
    }

    /// An account that has this item and has not deleted it; nil when none has. It tells another account's item from a
    /// missing one.
    private func owner(of id: NotebookID, _ kind: NotebookKind) throws(Failure) -> Int64? {
        try sql.row(
            "SELECT account FROM notebook WHERE id = $1 AND kind = $2 AND deleted = 0 ORDER BY account",
            [.bytes(id.bytes), .text(kind.rawValue)])?.integer(0)
    }

    /// The note of this number, of any account; nil when it is missing or deleted.
    private func anyNote(_ number: Int64) throws(Failure) -> (account: Int64, row: NotebookRow)? {
        let row = try sql.row(
            "SELECT \(NotebookRow.columns), account FROM notebook WHERE number = $1 AND deleted = 0",
            [.integer(number)])
        return try row.map { row throws(Failure) in
            (try row.integer(NotebookRow.columnCount), try NotebookRow(row))
        }
    }

    /// Writes a change of the server's own: a new item of version 1, or the next version of the existing one.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `invalidField` for a field of the content; `quota`; `notFound` for an item that is deleted or of
    ///   another kind; `unauthenticated` when the account no longer exists.
    func put(_ content: NotebookContent, id: NotebookID, now: Int64) throws(Failure) -> NotebookRow {
        try content.checked()
        return try change(now: now) { transaction throws(Failure) in
            let held = try transaction.held(id)
            guard held.map({ !$0.isDeleted && $0.kind == content.kind }) ?? true else { throw Failure(.notFound) }
            let item = NotebookItem(
                id: id, content: content, version: (held?.version ?? 0) + 1,
                createdAt: held?.created ?? transaction.seconds, updatedAt: transaction.seconds)
            return try transaction.put(item, by: nil, over: held)
        }
    }

    /// Deletes an item for good; a deleted stop also leaves every itinerary. A missing item is ignored.
    /// - Parameter now: microseconds since 1970.
    func delete(_ id: NotebookID, now: Int64) throws(Failure) {
        try change(now: now) { transaction throws(Failure) in
            guard let held = try transaction.held(id),
                try transaction.delete(id, held.kind, over: held, writer: nil) != nil, held.kind == .stop
            else { return }
            _ = try transaction.leaveItineraries([id])
        }
    }

    /// Deletes everything, of an account that is being deleted.
    func deleteAll() throws(Failure) {
        try sql.run("DELETE FROM notebook WHERE account = $1", [.integer(account)])
        try sql.run("DELETE FROM notebook_accounts WHERE account = $1", [.integer(account)])
    }

    // MARK: Lists and changes

    /// The stamp of the last change; nil before the notebook exists.
    func lastStamp() throws(Failure) -> Int64? {
        try sql.row("SELECT last FROM notebook_accounts WHERE account = $1", [.integer(account)])?.integer(0)
    }

    /// - Parameter cursor: the last stamp that the reader has. With nil, or a stamp that this database never issued (it
    ///   is an older copy), the changes begin at the first one.
    /// - Parameter last: the stamp of the last change.
    func changes(
        after cursor: Int64?, last: Int64, kinds: Set<NotebookKind>, limit: Int
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
            let found = try sql.rows(statement, values)
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

    /// One page of the items of a kind, the oldest first. The page ends early when the contents are long.
    package func page(_ kind: NotebookKind, _ request: PageRequest) throws(Failure) -> Page<NotebookRow> {
        var (created, id) = request.notebookPlace
        var page = [NotebookRow]()
        var room = ServerLimits.itemAnswerBytes
        while true {
            let found = try sql.rows(
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

    /// When the notebook was last synced, in whole seconds since 1970.
    func syncTime() throws(Failure) -> Int64? {
        try sql.row("SELECT synced FROM notebook_accounts WHERE account = $1", [.integer(account)])?.optionalInteger(0)
    }

    func setSyncTime(to seconds: Int64) throws(Failure) {
        try sql.run(
            "UPDATE notebook_accounts SET synced = $1 WHERE account = $2", [.integer(seconds), .integer(account)])
    }
}

extension NotebookContent {
    /// - Throws: `invalidField` for the first field that is not valid.
    func checked() throws(Failure) {
        do {
            try check()
        } catch {
            throw .invalid(error.field)
        }
    }
}
