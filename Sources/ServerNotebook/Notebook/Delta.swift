import ServerBase
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
        var rejected: [ItemRejection] = []
        /// The cursor of the device's next request.
        var cursor: Int64
        /// Whether more changes follow behind the cursor.
        var hasMore = false
    }

    private let request: DeltaRequest
    private var transaction: NotebookTransaction
    private var rejected = [ItemRejection]()
    /// Rows, in their state after this exchange, that the device must receive beside the earlier changes, in this
    /// order.
    private var corrections = [NotebookRow]()
    /// Items that the device holds exactly as the server does.
    private var known = Set<NotebookID>()

    private init(_ request: DeltaRequest, _ transaction: NotebookTransaction) {
        self.request = request
        self.transaction = transaction
    }

    /// - Throws: for a request without a device's name, `invalidField` or `quota` for the first item that cannot be
    ///   stored; nothing is stored then.
    static func run(_ request: DeltaRequest, in transaction: inout NotebookTransaction) throws(Failure) -> Outcome {
        let changes = try transaction.notebook.changes(
            after: request.cursor, last: transaction.last, kinds: request.kinds,
            limit: request.limit)
        var delta = Delta(request, transaction)
        try delta.transaction.gather(request.items.compactMap { try? $0.get().id })
        for item in request.items { try delta.apply(item) }
        try delta.transaction.writeGathered()
        try delta.delete()
        transaction = delta.transaction
        return delta.outcome(changes)
    }

    /// The outcome of a request that changes nothing.
    /// - Returns: nil before the notebook exists.
    static func outcome(of request: DeltaRequest, in notebook: NotebookRows) throws(Failure) -> Outcome? {
        guard let last = try notebook.lastStamp() else { return nil }
        let changes = try notebook.changes(
            after: request.cursor, last: last, kinds: request.kinds, limit: request.limit)
        return Outcome(rows: changes.rows, cursor: changes.next ?? last, hasMore: changes.next != nil)
    }

    private func outcome(_ changes: NotebookChanges) -> Outcome {
        let now = Dictionary(corrections.map { ($0.id, $0) }) { _, last in last }
        var seen = known
        var rows = [NotebookRow]()
        for row in changes.rows + corrections where seen.insert(row.id).inserted && request.kinds.contains(row.kind) {
            rows.append(now[row.id] ?? row)
        }
        return Outcome(
            rows: rows, rejected: rejected, cursor: changes.next ?? transaction.last, hasMore: changes.next != nil)
    }

    private mutating func include(_ row: NotebookRow) {
        corrections.append(row)
        known.remove(row.id)
    }

    private mutating func apply(_ item: Result<ItemRequest, ItemRejection>) throws(Failure) {
        do throws(ItemRejection) {
            try apply(try item.get())
        } catch {
            let isOfItem = error.failure.code == .invalidField || error.failure.code == .quota
            guard request.device != nil, isOfItem else { throw error.failure }
            rejected.append(error)
        }
    }

    private mutating func apply(_ item: ItemRequest) throws(ItemRejection) {
        var lost = [NotebookRow]()
        // An edit that lost is kept even where its rival is rejected.
        defer { for row in lost { include(row) } }
        do throws(Failure) {
            switch try transaction.apply(item, from: request.device, lost: &lost) {
            case .known(let row): known.insert(row.id)
            case .held(let row): include(row)
            case .stored(let row, let isChanged):
                known.insert(row.id)
                corrections.removeAll { $0.id == row.id }
                if isChanged { include(row) }
            }
        } catch {
            throw ItemRejection(kind: item.kind, id: item.id, failure: error)
        }
    }

    private mutating func delete() throws(Failure) {
        var stops = Set<NotebookID>()
        for deletion in request.deletions {
            let held = try transaction.held(deletion.id)
            guard held.map({ $0.kind == deletion.kind }) ?? true else {
                let failure = Failure.invalid("deletions")
                guard request.device != nil else { throw failure }
                rejected.append(ItemRejection(kind: deletion.kind, id: deletion.id, failure: failure))
                continue
            }
            let isOwn = held?.writer != nil && held?.writer == request.device
            _ = try transaction.delete(deletion.id, deletion.kind, over: held, writer: request.device)
            if let held, !held.isDeleted, !isOwn, let base = deletion.base, base < held.version {
                // The kept edit uses the room that the deletion freed.
                let lost = try transaction.keep(try held.item(), .deleted, isBounded: false)
                if let lost { include(lost) }
            }
            known.insert(deletion.id)
            corrections.removeAll { $0.id == deletion.id }
            if deletion.kind == .stop { stops.insert(deletion.id) }
        }
        for row in try transaction.leaveItineraries(stops) { include(row) }
    }
}
