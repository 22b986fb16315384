import TourModel

/// One request with the items sent in it, and the interpretation of its answer. Source: `Protocol/12-notebook.md`,
/// "Delta".
package struct DeltaExchange: Sendable {
    /// The most bytes of items in one request.
    package static let bytesMax = 4 * 1_024 * 1_024

    /// The request so far.
    package private(set) var request: DeltaRequest
    /// The account that owns the notebook: the answer is invalid once another account does.
    package let account: String
    /// The device's versions of the deletions sent; these versions are not sent themselves.
    package private(set) var deletedVersions: [NotebookID: Int64] = [:]
    /// Whether an item was left for the next request.
    package private(set) var isFull = false
    private var bytes = 0

    /// - Parameter limit: the most items to send, and to request in the answer; at least 1.
    package init(cursor: String?, device: String, account: String, limit: Int) {
        self.account = account
        request = DeltaRequest(cursor: cursor, device: device, limit: max(limit, 1))
    }

    /// Adds an item, if there is room.
    /// - Parameter size: the bytes of its JSON.
    /// - Returns: false when the request is full: this item and all behind it go with the next.
    package mutating func add(_ local: LocalItem, size: Int) -> Bool {
        let count = request.items.count + request.deletions.count
        let isRoom = count < request.limit && (count == 0 || bytes + size <= Self.bytesMax)
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

    /// The ids of everything sent, whatever happened to it since.
    package var sent: Set<NotebookID> { Set(request.items.map(\.item.id) + request.deletions.map(\.id)) }

    /// Whether the server is behind its own earlier answers because it was restored from an older copy.
    /// - Returns: false where cursors cannot be compared.
    package func wentBack(_ answer: DeltaAnswer) -> Bool {
        guard let cursor = request.cursor, cursor.utf8.count == answer.serverTime.utf8.count else { return false }
        return answer.serverTime < cursor
    }
}

/// The outcome of an answer for each item.
package struct DeltaReading: Sendable {
    private let held: [NotebookID: NotebookItem]
    private let deleted: Set<NotebookID>
    private let refused: [NotebookID: String]

    /// Reads an answer.
    package init(_ answer: DeltaAnswer) {
        held = Dictionary(answer.updated.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        deleted = Set(answer.deleted)
        refused = Dictionary(
            answer.rejected.compactMap { rejection in rejection.id.map { ($0, rejection.message) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The outcome for an item that was sent.
    package func outcome(of id: NotebookID) -> SentOutcome {
        if let words = refused[id] { return .refused(words) }
        if deleted.contains(id) { return .deleted }
        return held[id].map { .held($0) } ?? .stored
    }

    /// The outcome for a deletion that was sent. An item in its place does not matter: a deleted item stays deleted.
    package func outcome(ofDeleting id: NotebookID) -> SentOutcome {
        refused[id].map { .refused($0) } ?? .stored
    }
}
