import TourModel

/// An itinerary: its stops in order. The contract calls it a collection. Source: seed 000.
package struct Itinerary: Hashable, Sendable {
    /// A stop in an itinerary; its index in the list is its position, so positions have no gaps.
    package struct Entry: Hashable, Codable, Sendable {
        /// The stop; a missing one is ignored.
        package var id: NotebookID
        /// When it was added, in whole seconds since 1970.
        package var addedAt: Int64

        package init(id: NotebookID, addedAt: Int64) {
            self.id = id
            self.addedAt = addedAt
        }

        /// The names in JSON.
        package enum CodingKeys: String, CodingKey {
            case id
            case addedAt = "added_at"
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                id: try fields.decode(NotebookID.self, forKey: .id),
                addedAt: try fields.decode(WholeSeconds.self, forKey: .addedAt).seconds)
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(id, forKey: .id)
            try fields.encode(WholeSeconds(seconds: addedAt), forKey: .addedAt)
        }
    }

    /// The title.
    package var title: String
    package var description: String?
    /// The stops, in order.
    package var stops: [Entry]

    package init(title: String, description: String? = nil, stops: [Entry] = []) {
        self.title = title
        self.description = description
        self.stops = stops
    }

    func check() throws(NotebookFault) {
        try NotebookFault.checkName(title, "title", Limits.notebookTitleBytesMax)
        try NotebookFault.check(description, "description", Limits.notebookTextBytesMax)
        guard stops.count <= Limits.notebookStopsMax else {
            throw .tooLong(field: "samples", max: Limits.notebookStopsMax)
        }
        guard Set(stops.map(\.id)).count == stops.count else { throw .notAllowed(field: "samples") }
    }
}

extension Itinerary: Codable {
    /// The names in JSON.
    package enum CodingKeys: String, CodingKey {
        case title, description
        case stops = "samples"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            title: try fields.decode(String.self, forKey: .title),
            description: try fields.decodeIfPresent(String.self, forKey: .description),
            stops: try fields.decodeIfPresent([Entry].self, forKey: .stops) ?? [])
    }
}
