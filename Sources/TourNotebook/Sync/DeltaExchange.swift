import TourModel

/// One request with what was sent in it, and how its answer is read. Source: `Protocol/12-notebook.md`, "Delta".
package struct DeltaExchange: Sendable {
    package private(set) var request: DeltaRequest
    /// Whose notebook it is: an answer that comes when it is another's is none.
    package let account: String
    /// The device's versions of what it deleted; nothing of them goes out.
    package private(set) var deletedVersions: [NotebookID: Int64] = [:]
    /// Whether something was left for the next one.
    package private(set) var isFull = false
    private var bytes = 0

    /// - Parameter limit: items that go out, and that are wanted back; at least 1.
    package init(cursor: String?, device: String, account: String, limit: Int) {
        self.account = account
        request = DeltaRequest(cursor: cursor, device: device, limit: max(limit, 1))
    }

    /// Takes one more along, if there is room.
    /// - Parameter size: of its JSON, in bytes.
    /// - Returns: false when the request is full: the one and all behind it go with the next.
    package mutating func add(_ local: LocalItem, size: Int) -> Bool {
        let count = request.items.count + request.deletions.count
        let isRoom = count < request.limit && (count == 0 || bytes + size <= Limits.notebookBatchBytesMax)
        guard isRoom else {
            isFull = true
            return false
        }
        bytes += size
        if let item = local.item {
            request.items.append(DeltaItem(item, base: local.base))
        } else {
            request.deletions.append(DeltaDeletion(kind: local.kind, id: local.id, base: local.base))
            deletedVersions[local.id] = local.version
        }
        return true
    }

    /// What was sent, whatever became of it since.
    package var sent: Set<NotebookID> { Set(request.items.map(\.item.id) + request.deletions.map(\.id)) }

    /// Whether the server is behind what it said before: it was restored from an older copy.
    /// - Returns: false where cursors do not compare: then nothing is known.
    package func wentBack(_ answer: DeltaAnswer) -> Bool {
        guard let cursor = request.cursor, cursor.utf8.count == answer.serverTime.utf8.count else { return false }
        return answer.serverTime < cursor
    }
}

/// What an answer means for each item.
package struct DeltaReading: Sendable {
    private let held: [NotebookID: NotebookItem]
    private let deleted: Set<NotebookID>
    private let refused: [NotebookID: String]

    package init(_ answer: DeltaAnswer) {
        held = Dictionary(answer.updated.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        deleted = Set(answer.deleted)
        refused = Dictionary(
            answer.rejected.compactMap { rejection in rejection.id.map { ($0, rejection.message) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// What became of an item that was sent.
    package func outcome(of id: NotebookID) -> SentOutcome {
        if let words = refused[id] { return .refused(words) }
        if deleted.contains(id) { return .deleted }
        return held[id].map { .held($0) } ?? .stored
    }

    /// What became of a deletion that was sent. An item in its place is none: what was deleted stays so.
    package func outcome(ofDeleting id: NotebookID) -> SentOutcome {
        refused[id].map { .refused($0) } ?? .stored
    }
}
