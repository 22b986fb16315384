import TourModel

/// A device's changes for a server, and the cursor of its next ones: the body of `POST /api/v1/sync/delta`.
/// Source: `Protocol/12-notebook.md`, "Delta"; seed 001.
package struct DeltaRequest: Sendable {
    /// `current_server_time` of the last answer, unchanged; nil: the device requests everything.
    package var cursor: String?
    /// The device's name, which it chose itself.
    package var device: String
    /// The most items in the answer.
    package var limit: Int
    /// The changed items.
    package var items: [DeltaItem] = []
    /// The deleted items.
    package var deletions: [DeltaDeletion] = []

    package init(cursor: String?, device: String, limit: Int) {
        self.cursor = cursor
        self.device = device
        self.limit = limit
    }
}

/// One item of a request.
package struct DeltaItem: Hashable, Sendable {
    /// The item.
    package var item: NotebookItem
    /// The server's version on which the edit is based, 0 for a new item.
    package var base: Int64

    package init(_ item: NotebookItem, base: Int64) {
        self.item = item
        self.base = base
    }
}

/// An item that a device deleted.
package struct DeltaDeletion: Hashable, Sendable {
    /// The item's kind.
    package var kind: NotebookKind
    /// The item's id.
    package var id: NotebookID
    /// The server's version that the device knew, 0 for none.
    package var base: Int64
}

// The lists have the names of their kinds.
extension DeltaRequest: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: DeltaKey.self)
        try fields.encodeIfPresent(cursor, forKey: .cursor)
        try fields.encode(device, forKey: .device)
        try fields.encode(limit, forKey: .limit)
        try fields.encode(NotebookKind.allCases, forKey: .kinds)
        for (kind, items) in Dictionary(grouping: items, by: \.item.kind) {
            try fields.encode(items, forKey: DeltaKey(kind))
        }
        if !deletions.isEmpty { try fields.encode(deletions, forKey: .deletions) }
    }
}

extension DeltaItem: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var fields = encoder.container(keyedBy: DeltaKey.self)
        try fields.encode(base, forKey: .base)
    }
}

extension DeltaDeletion: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: DeltaKey.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(id, forKey: .id)
        try fields.encode(base, forKey: .base)
    }
}

/// The JSON names in requests and answers.
struct DeltaKey: CodingKey {
    let stringValue: String

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { return nil }

    init(_ kind: NotebookKind) { stringValue = kind.rawValue }

    /// The list of an answer for a kind.
    init(updated kind: NotebookKind) { stringValue = "updated_" + kind.rawValue }

    var intValue: Int? { nil }

    static let cursor = DeltaKey(stringValue: "last_sync_timestamp")
    static let device = DeltaKey(stringValue: "device")
    static let limit = DeltaKey(stringValue: "limit")
    static let kinds = DeltaKey(stringValue: "kinds")
    static let deletions = DeltaKey(stringValue: "deletions")
    static let deletedIDs = DeltaKey(stringValue: "deleted_ids")
    static let kind = DeltaKey(stringValue: "kind")
    static let id = DeltaKey(stringValue: "id")
    static let base = DeltaKey(stringValue: "base_version")
    static let serverTime = DeltaKey(stringValue: "current_server_time")
    static let hasMore = DeltaKey(stringValue: "has_more")
    static let rejected = DeltaKey(stringValue: "rejected")
}
