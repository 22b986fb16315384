import TourModel
import TourNotebook

// Reads and changes a notebook inside one transaction, for routes that change one item at a time.
extension SQL {
    /// An account that has this item and has not deleted it; nil when none has. It tells another account's item from a
    /// missing one.
    func notebookOwner(of id: NotebookID, _ kind: NotebookKind) throws(Failure) -> Int64? {
        try row(
            "SELECT account FROM notebook WHERE id = $1 AND kind = $2 AND deleted = 0 ORDER BY account",
            [.bytes(id.bytes), .text(kind.rawValue)])?.integer(0)
    }

    /// The note of this number, of any account; nil when it is missing or deleted.
    func notebookNote(number: Int64) throws(Failure) -> (account: Int64, row: NotebookRow)? {
        let row = try row(
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
    func putNotebook(
        _ content: NotebookContent, id: NotebookID, of account: Int64, now: Int64
    ) throws(Failure) -> NotebookRow {
        try content.checked()
        return try writeNotebook(of: account, now: now) { transaction throws(Failure) in
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
    func deleteNotebook(_ id: NotebookID, of account: Int64, now: Int64) throws(Failure) {
        try writeNotebook(of: account, now: now) { transaction throws(Failure) in
            guard let held = try transaction.held(id),
                try transaction.delete(id, held.kind, over: held, writer: nil) != nil, held.kind == .stop
            else { return }
            _ = try transaction.leaveItineraries([id])
        }
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
