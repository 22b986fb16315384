import TourModel

/// What a server tells a device: the answer to a `DeltaRequest`. Source: `Protocol/12-notebook.md`, "Delta"; seed 001.
package struct DeltaAnswer: Sendable {
    /// What changed, and what the server has in the place of what the device sent.
    package var updated: [NotebookItem]
    package var deleted: [NotebookID]
    /// The cursor for the next request: RFC 3339 with microseconds.
    package var serverTime: String
    /// Whether there is more behind that cursor.
    package var hasMore: Bool
    /// What was sent and not taken.
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

/// An item that a server does not take.
package struct DeltaRejection: Hashable, Decodable, Sendable {
    /// Nil where the server could not read it.
    package var id: NotebookID?
    /// For people.
    package var message: String

    package init(id: NotebookID?, message: String) {
        self.id = id
        self.message = message
    }
}

extension DeltaAnswer: Decodable {
    /// Items that cannot be read are left out: a later version's, or a server gone wrong. None of them may keep the
    /// others from coming.
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
    /// Goes through a list, if it is there and not null; whatever an element is, the next one is reached.
    fileprivate func each(_ key: DeltaKey, _ body: (any Decoder) throws -> Void) throws {
        guard contains(key), try !decodeNil(forKey: key) else { return }
        var list = try nestedUnkeyedContainer(forKey: key)
        while !list.isAtEnd { try body(try list.superDecoder()) }
    }
}
