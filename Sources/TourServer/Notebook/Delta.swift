import TourCrypto
import TourModel
import TourNotebook

/// One exchange with a device, in one transaction: it collects the changes since the device last asked, applies the
/// items that the device sends, and reports what became of them. The rules: `Protocol/12-notebook.md`, "Conflicts" and
/// "Delta".
struct Delta {
    /// The answer to the device.
    struct Outcome: Sendable {
        /// The changed rows, deleted ones included; each item once.
        var rows: [NotebookRow] = []
        var rejected: [Rejection] = []
        /// The cursor of the device's next request.
        var cursor: Int64
        /// Whether more changes follow behind the cursor.
        var hasMore = false
    }

    /// An item that the server rejected.
    struct Rejection: Sendable {
        let kind: NotebookKind
        let id: String?
        let failure: Failure
    }

    private let request: DeltaRequest
    private var writing: NotebookWriting
    private var rejected = [Rejection]()
    /// Rows, in their state after this exchange, that the device must receive beside the earlier changes, in this
    /// order.
    private var told = [NotebookRow]()
    /// Items that the device holds exactly as the server does.
    private var known = Set<NotebookID>()

    private init(_ request: DeltaRequest, _ writing: NotebookWriting) {
        self.request = request
        self.writing = writing
    }

    /// - Throws: for a request without a device's name, `invalidField` or `quota` for the first item that cannot be
    ///   stored; nothing is stored then.
    static func run(_ request: DeltaRequest, in writing: inout NotebookWriting) throws(Failure) -> Outcome {
        let changes = try writing.sql.changes(
            of: writing.account, after: request.cursor, last: writing.last, kinds: request.kinds, limit: request.limit)
        var delta = Delta(request, writing)
        for entry in request.entries { try delta.apply(entry) }
        try delta.delete()
        writing = delta.writing
        return delta.outcome(changes)
    }

    /// The outcome of a request that changes nothing.
    /// - Returns: nil before the notebook exists.
    static func outcome(
        of request: DeltaRequest, _ account: Int64, in sql: any SQL
    ) throws(Failure) -> Outcome? {
        let row = try sql.row("SELECT last FROM notebook_accounts WHERE account = $1", [.integer(account)])
        guard let last = try row?.integer(0) else { return nil }
        let changes = try sql.changes(
            of: account, after: request.cursor, last: last, kinds: request.kinds, limit: request.limit)
        return Outcome(rows: changes.rows, cursor: changes.next ?? last, hasMore: changes.next != nil)
    }

    private func outcome(_ changes: NotebookChanges) -> Outcome {
        let now = Dictionary(told.map { ($0.id, $0) }) { _, last in last }
        var seen = known
        var rows = [NotebookRow]()
        for row in changes.rows + told where seen.insert(row.id).inserted && request.kinds.contains(row.kind) {
            rows.append(now[row.id] ?? row)
        }
        return Outcome(
            rows: rows, rejected: rejected, cursor: changes.next ?? writing.last, hasMore: changes.next != nil)
    }

    private mutating func include(_ row: NotebookRow) {
        told.append(row)
        known.remove(row.id)
    }

    private mutating func apply(_ entry: DeltaEntry) throws(Failure) {
        do throws(Failure) {
            let pushed = try entry.content.get()
            guard let row = try apply(pushed, entry) else { return }
            include(row)
        } catch {
            guard request.device != nil, error.code == .invalidField || error.code == .quota else { throw error }
            rejected.append(Rejection(kind: entry.kind, id: entry.id, failure: error))
        }
    }

    /// Applies one item.
    /// - Returns: the row that the device must receive; nil where it holds what the server holds.
    private mutating func apply(_ pushed: PushedItem, _ entry: DeltaEntry) throws(Failure) -> NotebookRow? {
        let held = try writing.held(pushed.item.id)
        guard held.map({ $0.kind == entry.kind }) ?? true else { throw .invalid(entry.field("id")) }
        let before = try held.flatMap { row throws(Failure) in row.isDeleted ? nil : try row.content() }
        let arrival = try ArrivedItem(pushed, from: request.device, over: held, before, in: writing)
        guard held?.isDeleted != true else {
            if pushed.base != nil { try keep(arrival.item, .deleted) }
            return held
        }
        let origin = NotebookOrigin(writer: request.device, base: pushed.base)
        let there = before.flatMap { content in
            held.map { NotebookVerdict.Held(content: content, version: $0.version, writer: $0.writer) }
        }
        switch NotebookVerdict(arrival.item, origin, held: there) {
        case .known where arrival.item.version == held?.version && !arrival.isChanged:
            known.insert(arrival.item.id)
            return nil
        case .known, .deleted: return held
        case .overruled:
            // An item of an older version without a base may be an unchanged copy in an app; of the current version it
            // is an edit.
            if pushed.base != nil || arrival.item.version == held?.version { try keep(arrival.item, .overruled) }
            return held
        case .storedOver:
            if let held { try keep(try held.item(), .overruled) }
        case .stored: break
        }
        let row = try arrival.put(in: &writing, over: held)
        known.insert(row.id)
        told.removeAll { $0.id == row.id }
        return arrival.isChanged ? row : nil
    }

    private mutating func delete() throws(Failure) {
        var stops = Set<NotebookID>()
        for deletion in request.deletions {
            let held = try writing.held(deletion.id)
            guard held.map({ $0.kind == deletion.kind }) ?? true else {
                let failure = Failure.invalid("deletions")
                guard request.device != nil else { throw failure }
                rejected.append(Rejection(kind: deletion.kind, id: deletion.id.text, failure: failure))
                continue
            }
            let isOwn = held?.writer != nil && held?.writer == request.device
            _ = try writing.delete(deletion.id, deletion.kind, over: held, writer: request.device)
            if let held, !held.isDeleted, !isOwn, let base = deletion.base, base < held.version {
                // The kept edit uses the room that the deletion freed.
                try keep(try held.item(), .deleted, isBounded: false)
            }
            known.insert(deletion.id)
            told.removeAll { $0.id == deletion.id }
            if deletion.kind == .stop { stops.insert(deletion.id) }
        }
        for row in try writing.leaveItineraries(stops) { include(row) }
    }

    /// Keeps an edit that lost a conflict, once, however often it loses.
    /// - Throws: `quota`, in which case the edit that would overrule it is rejected too.
    private mutating func keep(
        _ item: NotebookItem, _ reason: LostEdit.Reason, isBounded: Bool = true
    ) throws(Failure) {
        guard let edit = LostEdit(item, reason) else { return }
        let content = NotebookContent.lost(edit)
        let name = Hash.of(
            .lostEdit, Array(item.kind.rawValue.utf8), item.id.bytes, Array(String(item.version).utf8),
            Array(try NotebookBody.text(of: item.content).utf8))
        guard let id = NotebookID(name.bytes.prefix(16)), try writing.held(id) == nil else { return }
        let change = NotebookWriting.Change(
            id: id, kind: .lost, body: try NotebookBody.text(of: content), version: 1, writer: nil,
            created: writing.seconds, updated: writing.seconds)
        include(try writing.put(change, over: nil, isBounded: isBounded))
    }
}
