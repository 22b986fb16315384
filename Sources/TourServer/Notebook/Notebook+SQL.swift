import TourModel
import TourNotebook

// A notebook inside one transaction, for the routes that change one thing at a time.
extension SQL {
    /// Also one that was deleted.
    func notebookItem(_ id: NotebookID, of account: Int64) throws(Failure) -> StoredItem? {
        try notebookRow(id, of: account).map { row throws(Failure) in try row.stored() }
    }

    /// Whose it is, if anybody's who has not deleted it: what is somebody else's is told from what is not there.
    func notebookOwner(of id: NotebookID, _ kind: NotebookKind) throws(Failure) -> Int64? {
        try row(
            "SELECT account FROM notebook WHERE id = $1 AND kind = $2 AND deleted = 0 ORDER BY account",
            [.bytes(id.bytes), .text(kind.rawValue)])?.integer(0)
    }

    /// The note of this number, whosever it is; nil when it was deleted.
    func notebookNote(number: Int64) throws(Failure) -> (account: Int64, stored: StoredItem)? {
        let row = try row(
            "SELECT \(NotebookRow.columns), account FROM notebook WHERE number = $1 AND deleted = 0",
            [.integer(number)])
        return try row.map { row throws(Failure) in
            (try row.integer(NotebookRow.columnCount), try NotebookRow(row).stored())
        }
    }

    /// Those that were not deleted, the oldest first.
    func notebookItems(_ kind: NotebookKind, of account: Int64) throws(Failure) -> [StoredItem] {
        let found = try rows(
            """
            SELECT \(NotebookRow.columns) FROM notebook
            WHERE account = $1 AND kind = $2 AND deleted = 0 ORDER BY created, id
            """, [.integer(account), .text(kind.rawValue)])
        var items = [StoredItem]()
        for row in found { items.append(try NotebookRow(row).stored()) }
        return items
    }

    /// The server's own change: a new item of version 1, or the next version of the one that is there.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `invalid` for a field of the content; `quota`; `notFound` where it was deleted.
    func putNotebook(
        _ content: NotebookContent, id: NotebookID, of account: Int64, now: Int64
    ) throws(Failure) -> StoredItem {
        try content.checked()
        let body = try NotebookBody.text(of: content)
        return try writeNotebook(of: account, now: now) { writing throws(Failure) in
            let held = try writing.held(id)
            guard held.map({ !$0.isDeleted && $0.kind == content.kind }) ?? true else { throw Failure(.notFound) }
            let change = NotebookWriting.Change(
                id: id, kind: content.kind, body: body, version: (held?.version ?? 0) + 1, writer: nil,
                created: held?.created ?? writing.seconds, updated: writing.seconds)
            return try writing.put(change, over: held).stored()
        }
    }

    /// It is deleted, and stays so; a stop also leaves every itinerary. What is not there is passed over.
    /// - Parameter now: microseconds since 1970.
    func deleteNotebook(_ id: NotebookID, of account: Int64, now: Int64) throws(Failure) {
        try writeNotebook(of: account, now: now) { writing throws(Failure) in
            guard let held = try writing.held(id),
                try writing.delete(id, held.kind, over: held, writer: nil) != nil, held.kind == .sample
            else { return }
            _ = try writing.leaveItineraries([id])
        }
    }
}

extension NotebookContent {
    /// - Throws: `invalid` for the first field that cannot be taken.
    func checked() throws(Failure) {
        do {
            try check()
        } catch {
            throw .invalid(error.field)
        }
    }
}
