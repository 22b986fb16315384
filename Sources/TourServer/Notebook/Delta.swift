import TourCrypto
import TourModel
import TourNotebook

/// One exchange with a device, in one transaction: what changed since it last asked, what it sends, and what it must
/// hear of that. The rules: `Protocol/12-notebook.md`, "Conflicts" and "Delta".
struct Delta {
    /// What the device is told.
    struct Outcome: Sendable {
        /// Also what was deleted; each item once.
        var rows: [NotebookRow] = []
        var rejected: [Rejection] = []
        /// From where on it asks next.
        var cursor: Int64
        /// Whether more waits there.
        var hasMore = false
    }

    /// An item that was not taken.
    struct Rejection: Sendable {
        let kind: NotebookKind
        let id: String?
        let failure: Failure
    }

    private let request: DeltaRequest
    private var writing: NotebookWriting
    private var rejected = [Rejection]()
    /// As they are after this, by the order in which they are told beside the changes that were there before.
    private var told = [NotebookRow]()
    /// Which the device holds as the server does.
    private var known = Set<NotebookID>()

    private init(_ request: DeltaRequest, _ writing: NotebookWriting) {
        self.request = request
        self.writing = writing
    }

    /// - Throws: without a device's name `invalid` or `quota` for the first item that cannot be taken; then nothing is.
    static func run(_ request: DeltaRequest, in writing: inout NotebookWriting) throws(Failure) -> Outcome {
        let changes = try writing.sql.changes(
            of: writing.account, after: request.cursor, last: writing.last, kinds: request.kinds, limit: request.limit)
        var delta = Delta(request, writing)
        for entry in request.entries { try delta.take(entry) }
        try delta.delete()
        writing = delta.writing
        return delta.outcome(changes)
    }

    /// Of a request that changes nothing.
    /// - Returns: nil before the notebook was begun.
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

    private mutating func tell(_ row: NotebookRow) {
        told.append(row)
        known.remove(row.id)
    }

    private mutating func take(_ entry: DeltaEntry) throws(Failure) {
        do throws(Failure) {
            let pushed = try entry.content.get()
            guard let row = try take(pushed, entry) else { return }
            tell(row)
        } catch {
            guard request.device != nil, error.code == .invalidField || error.code == .quota else { throw error }
            rejected.append(Rejection(kind: entry.kind, id: entry.id, failure: error))
        }
    }

    /// - Returns: what the device must hear; nil where it holds what the server does.
    private mutating func take(_ pushed: PushedItem, _ entry: DeltaEntry) throws(Failure) -> NotebookRow? {
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
            // Of an older version that names no base it may be what an app holds anyway; of this version it is an edit.
            if pushed.base != nil || arrival.item.version == held?.version { try keep(arrival.item, .overruled) }
            return held
        case .storedOver:
            if let held { try keep(try held.stored().item, .overruled) }
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
            let item = try held?.stored().item
            _ = try writing.delete(deletion.id, deletion.kind, over: held, writer: request.device)
            if let held, let item, !held.isDeleted, !isOwn, let base = deletion.base, base < held.version {
                // It takes the room that the deletion gave.
                try keep(item, .deleted, isBounded: false)
            }
            known.insert(deletion.id)
            told.removeAll { $0.id == deletion.id }
            if deletion.kind == .sample { stops.insert(deletion.id) }
        }
        for row in try writing.leaveItineraries(stops) { tell(row) }
    }

    /// Keeps what lost, once, however often it loses.
    /// - Throws: `quota`: then what would overrule it does not come in either.
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
        tell(try writing.put(change, over: nil, isBounded: isBounded))
    }
}
