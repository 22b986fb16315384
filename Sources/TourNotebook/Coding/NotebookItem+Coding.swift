import TourModel

// An item in JSON: its fields, its id, version and times. The list that contains it determines its kind.
// Source: `Protocol/12-notebook.md`, "Items".
extension NotebookItem: Encodable {
    enum CodingKeys: String, CodingKey {
        case id
        case version = "sync_version"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    package func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(version, forKey: .version)
        try fields.encode(WholeSeconds(seconds: createdAt), forKey: .createdAt)
        try fields.encode(WholeSeconds(seconds: updatedAt), forKey: .updatedAt)
    }
}

extension NotebookItem {
    /// Decodes an item; a missing version is 0.
    ///
    /// - Parameter now: the value of missing times, in seconds since 1970.
    /// - Throws: `DecodingError`, naming the field.
    package init(from decoder: any Decoder, kind: NotebookKind, now: Int64) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(NotebookID.self, forKey: .id),
            content: try NotebookContent(from: decoder, kind: kind),
            version: try fields.decodeIfPresent(WholeNumber.self, forKey: .version)?.value ?? 0,
            createdAt: try fields.decodeIfPresent(WholeSeconds.self, forKey: .createdAt)?.seconds ?? now,
            updatedAt: try fields.decodeIfPresent(WholeSeconds.self, forKey: .updatedAt)?.seconds ?? now)
    }
}

extension NotebookContent: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .note(let note): try note.encode(to: encoder)
        case .place(let place): try place.encode(to: encoder)
        case .category(let category): try category.encode(to: encoder)
        case .itinerary(let itinerary): try itinerary.encode(to: encoder)
        case .stop(let stop): try stop.encode(to: encoder)
        case .lost(let edit): try edit.encode(to: encoder)
        }
    }

    /// - Throws: `DecodingError`, naming the field.
    package init(from decoder: any Decoder, kind: NotebookKind) throws {
        switch kind {
        case .note: self = .note(try Note(from: decoder))
        case .place: self = .place(try SavedPlace(from: decoder))
        case .category: self = .category(try PlaceCategory(from: decoder))
        case .itinerary: self = .itinerary(try Itinerary(from: decoder))
        case .stop: self = .stop(try Stop(from: decoder))
        case .lost: self = .lost(try LostEdit(from: decoder))
        }
    }
}

extension LostEdit: Codable {
    enum CodingKeys: String, CodingKey { case kind, item, reason }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try fields.decode(NotebookKind.self, forKey: .kind)
        guard kind != .lost else {
            throw DecodingError.dataCorruptedError(forKey: .kind, in: fields, debugDescription: "it lost already")
        }
        reason = try fields.decode(Reason.self, forKey: .reason)
        item = try NotebookItem(from: fields.superDecoder(forKey: .item), kind: kind, now: 0)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(item.kind, forKey: .kind)
        try fields.encode(reason, forKey: .reason)
        try fields.encode(item, forKey: .item)
    }
}
