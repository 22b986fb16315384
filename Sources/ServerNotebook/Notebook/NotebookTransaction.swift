import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// The changes of one transaction to one account's notebook. Each change gets a stamp of its own, higher than all
/// before it, whatever the clock does.
struct NotebookTransaction {
    let notebook: NotebookRows
    /// Microseconds since 1970.
    let now: Int64
    /// The stamp of the last change.
    private(set) var last: Int64
    /// The number of items that are not deleted.
    private(set) var live: Int64
    /// The size of all contents in bytes.
    private(set) var bytes: Int64
    /// The same before the transaction.
    private let bytesBefore: Int64
    private var hasDeleted = false
    /// While rows are gathered: those that were looked up or changed, nil for an id without one.
    private var gathered: [NotebookID: NotebookRow?]?
    /// Gathered rows that are not written yet, in the order of their changes.
    private var unwritten: [NotebookRow] = []

    init(notebook: NotebookRows, now: Int64, last: Int64, live: Int64, bytes: Int64) {
        self.notebook = notebook
        self.now = now
        self.last = last
        self.live = live
        self.bytes = bytes
        bytesBefore = bytes
    }

    var sql: any SQL { notebook.sql }
    var account: Int64 { notebook.account }
    var seconds: Int64 { now / 1_000_000 }

    func held(_ id: NotebookID) throws(Failure) -> NotebookRow? {
        if let known = gathered?[id] { return known }
        return try notebook.row(id)
    }

    /// Looks up rows together and writes changed ones together, until `writeGathered`: with a database elsewhere every
    /// statement costs a round trip. Meanwhile only `held` knows the changed rows.
    mutating func gather(_ ids: [NotebookID]) throws(Failure) {
        var rows: [NotebookID: NotebookRow?] = [:]
        let found = try sql.rows(
            "SELECT \(NotebookRow.columns) FROM notebook WHERE account = $1 AND id = $2",
            each: ids.map { [.integer(account), .bytes($0.bytes)] })
        for (id, row) in zip(ids, found) {
            rows[id] = .some(try row.first.map { row throws(Failure) in try NotebookRow(row) })
        }
        gathered = rows
    }

    mutating func writeGathered() throws(Failure) {
        try writeRows()
        gathered = nil
    }

    /// Writes an item to its row.
    /// - Parameter encoded: the content in the table's form; nil: it is not encoded yet.
    /// - Parameter writer: see `NotebookRow.writer`.
    /// - Parameter held: the row under the id, of the same kind and not deleted; nil where there is none.
    /// - Parameter isBounded: whether the limits of the notebook apply.
    /// - Throws: `quota`.
    mutating func put(
        _ item: NotebookItem, body encoded: String? = nil, by writer: String?, over held: NotebookRow?,
        isBounded: Bool = true
    ) throws(Failure) -> NotebookRow {
        let body: String
        if let encoded { body = encoded } else { body = try NotebookBody.text(of: item.content) }
        let more = Int64(body.utf8.count) - Int64(held?.body.utf8.count ?? 0)
        let hasRoom = held != nil || live < Int64(Limits.notebookItemsMax)
        let own = min(notebook.room?.own ?? .max, ServerLimits.notebookBytesMax)
        let hasBytes = more <= 0 || bytes + more <= own
        guard !isBounded || hasRoom && hasBytes else { throw Failure(.quota) }
        let growth = bytes + more - bytesBefore
        if isBounded, more > 0, growth > 0 { try notebook.room?.require(growth) }
        live += held == nil ? 1 : 0
        bytes += more
        var number = held?.number ?? 0
        if item.kind == .note, number == 0 { number = try sql.nextNumber("notes") }
        let row = NotebookRow(
            id: item.id, kind: item.kind, body: body, version: item.version, writer: writer, stamp: nextStamp(),
            created: item.createdAt, updated: item.updatedAt, isDeleted: false, number: number)
        try write(row)
        if row.kind.namesFiles { try FileUseRows(notebook: notebook).set(row, now: seconds, isNew: held == nil) }
        if row.kind == .itinerary { try StopUseRows(notebook: notebook).set(row) }
        return row
    }

    /// Deletes an item for good: a copy that another device still has does not restore it.
    /// - Parameter held: the row under the id; nil for an id that never existed here.
    /// - Returns: nil where the item was deleted already.
    mutating func delete(
        _ id: NotebookID, _ kind: NotebookKind, over held: NotebookRow?, writer: String?
    ) throws(Failure) -> NotebookRow? {
        if let held {
            guard !held.isDeleted else { return nil }
            live -= 1
            bytes -= Int64(held.body.utf8.count)
        }
        let row = NotebookRow(
            id: id, kind: held?.kind ?? kind, body: "", version: held?.version ?? 0, writer: writer,
            stamp: nextStamp(), created: held?.created ?? seconds, updated: seconds, isDeleted: true,
            number: held?.number ?? 0)
        try write(row)
        hasDeleted = true
        if row.kind.namesFiles { try FileUseRows(notebook: notebook).set(row, now: seconds) }
        if row.kind == .itinerary { try StopUseRows(notebook: notebook).set(row) }
        return row
    }

    /// Tells the sum of all notebooks what changed. A transaction that is undone or run again behind this is told too
    /// often, until the next sweep reads the sum.
    fileprivate func tellRoom() { notebook.room?.add(bytes - bytesBefore) }

    /// Forgets all but the latest deletions, since clients can delete ids without end, even ids that never existed.
    fileprivate func forgetOldest() throws(Failure) {
        guard hasDeleted else { return }
        // An item that existed has a version above 0.
        for (condition, count) in [
            ("deleted = 1 AND version = 0", ServerLimits.deletedUnknownMax),
            ("deleted = 1", ServerLimits.deletedItemsMax),
        ] {
            try sql.run(
                """
                DELETE FROM notebook WHERE account = $1 AND \(condition) AND stamp <= (
                    SELECT stamp FROM notebook WHERE account = $2 AND \(condition)
                    ORDER BY stamp DESC LIMIT 1 OFFSET \(count))
                """, [.integer(account), .integer(account)])
        }
    }

    /// Removes deleted stops from every itinerary.
    /// - Returns: the itineraries that changed, in their new state.
    mutating func leaveItineraries(_ stops: Set<NotebookID>) throws(Failure) -> [NotebookRow] {
        guard !stops.isEmpty else { return [] }
        var changed = [NotebookRow]()
        for held in try notebook.itineraries(with: stops) {
            var item = try held.item()
            guard case .itinerary(var itinerary) = item.content else { continue }
            let count = itinerary.stops.count
            itinerary.stops.removeAll { stops.contains($0.id) }
            guard itinerary.stops.count < count else { continue }
            item.content = .itinerary(itinerary)
            item.version += 1
            item.updatedAt = seconds
            changed.append(try put(item, by: nil, over: held))
        }
        return changed
    }

    private mutating func nextStamp() -> Int64 {
        last = max(now, last + 1)
        return last
    }

    private mutating func write(_ row: NotebookRow) throws(Failure) {
        unwritten.append(row)
        if gathered == nil { return try writeRows() }
        gathered?[row.id] = .some(row)
        if unwritten.count >= ServerLimits.rowsWrittenTogether { try writeRows() }
    }

    private mutating func writeRows() throws(Failure) {
        try sql.run(
            """
            INSERT INTO notebook (
                account, id, kind, body, version, writer, stamp, created, updated, deleted, number)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (account, id) DO UPDATE SET body = excluded.body, version = excluded.version,
                writer = excluded.writer, stamp = excluded.stamp, created = excluded.created,
                updated = excluded.updated, deleted = excluded.deleted, number = excluded.number
            """,
            each: unwritten.map { row in
                [
                    .integer(account), .bytes(row.id.bytes), .text(row.kind.rawValue), .text(row.body),
                    .integer(row.version), SQLValue(row.writer), .integer(row.stamp), .integer(row.created),
                    .integer(row.updated), .integer(row.isDeleted ? 1 : 0),
                    row.number == 0 ? .null : .integer(row.number),
                ]
            })
        unwritten = []
    }
}

extension NotebookRows {
    /// Changes a notebook in the transaction, which makes other writers of any process wait until its end.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `unauthenticated` when the account no longer exists; whatever `body` throws.
    func change<Value>(
        now: Int64, _ body: (inout NotebookTransaction) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // The account may have been deleted since the request arrived.
        guard try sql.row("SELECT 1 FROM accounts WHERE id = $1", [.integer(account)]) != nil else {
            throw Failure(.unauthenticated)
        }
        // A new notebook's stamps begin now: a reader of the empty notebook gets a cursor before every later change.
        let row = try sql.row(
            """
            INSERT INTO notebook_accounts (account, last, live, bytes) VALUES ($1, $2, 0, 0)
            ON CONFLICT (account) DO UPDATE SET live = notebook_accounts.live RETURNING last, live, bytes
            """, [.integer(account), .integer(now)])
        guard let row else { throw Failure(.internalError, cause: "a notebook has no row of its own") }
        let last = try row.count(0)
        var transaction = NotebookTransaction(
            notebook: self, now: now, last: last, live: try row.count(1), bytes: try row.count(2))
        let value = try body(&transaction)
        try transaction.forgetOldest()
        // Every change raises the stamp.
        if transaction.last != last {
            try sql.run(
                "UPDATE notebook_accounts SET last = $1, live = $2, bytes = $3 WHERE account = $4",
                [
                    .integer(transaction.last), .integer(transaction.live), .integer(transaction.bytes),
                    .integer(account),
                ])
        }
        transaction.tellRoom()
        return value
    }
}

extension NotebookKind {
    /// Whether an item may refer to files: a saved place, and one that lost a conflict.
    var namesFiles: Bool { self == .place || self == .lost }
}
