import TourModel

/// A server's answer to a device's `DeltaRequest`. Source: `Protocol/12-notebook.md`, "Delta"; seed 001.
package struct DeltaAnswer: Sendable {
    /// Changed items, and the server's versions of items that the device sent.
    package var updated: [NotebookItem]
    /// Items deleted since the cursor.
    package var deleted: [NotebookID]
    /// The cursor for the next request: RFC 3339 with microseconds.
    package var serverTime: String
    /// Whether more follows behind that cursor.
    package var hasMore: Bool
    /// Sent items that the server rejected.
    package var rejected: [DeltaRejection]

    package init(
        updated: [NotebookItem], deleted: [NotebookID], serverTime: String, hasMore: Bool = false,
        rejected: [DeltaRejection] = []
    ) {
        self.updated = updated
        self.deleted = deleted
        self.serverTime = serverTime
        self.hasMore = hasMore
        self.rejected = rejected
    }
}

/// An item that the server rejected.
package struct DeltaRejection: Hashable, Decodable, Sendable {
    /// The item; nil where the server could not read it.
    package var id: NotebookID?
    /// The reason, for people.
    package var message: String

    package init(id: NotebookID?, message: String) {
        self.id = id
        self.message = message
    }
}

extension DeltaAnswer: Decodable {
    /// Skips items that it cannot read, from a later version or a faulty server: none of them may block the others.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: DeltaKey.self)
        self.init(
            updated: [], deleted: [], serverTime: try fields.decode(String.self, forKey: .serverTime),
            hasMore: try fields.decodeIfPresent(Bool.self, forKey: .hasMore) ?? false,
            rejected: try fields.decodeIfPresent([DeltaRejection].self, forKey: .rejected) ?? [])
        for kind in NotebookKind.allCases {
            try fields.each(DeltaKey(updated: kind)) { element in
                guard let item = try? NotebookItem(from: element, kind: kind, now: 0) else { return }
                updated.append(item)
            }
        }
        let lists = try fields.nestedContainer(keyedBy: DeltaKey.self, forKey: .deletedIDs)
        for kind in NotebookKind.allCases {
            try lists.each(DeltaKey(kind)) { element in
                guard let id = try? NotebookID(from: element) else { return }
                deleted.append(id)
            }
        }
    }
}

extension KeyedDecodingContainer<DeltaKey> {
    /// Iterates over a list, if it is present and not null; continues after any element, whatever it is.
    fileprivate func each(_ key: DeltaKey, _ body: (any Decoder) throws -> Void) throws {
        guard contains(key), try !decodeNil(forKey: key) else { return }
        var list = try nestedUnkeyedContainer(forKey: key)
        while !list.isAtEnd { try body(try list.superDecoder()) }
    }
}
