import TourModel
import TourNotebook
import TourWire

/// A shared record as lists have it. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct SharedSummary: Encodable, Sendable {
    /// A UUID.
    package var record: String
    /// `note`, `place` or `itinerary`.
    package var type: String
    package var title: String
    package var version: UInt64
    /// Who published this version, and the message that says so.
    package var authorID: String
    package var authorName: String
    package var messageID: String
    package var publishedAt: String
    /// Of an itinerary.
    @Nullable package var stops: Int?
}

/// A shared record with all that it says.
package struct SharedRecordView: Encodable, Sendable {
    package struct StopView: Encodable, Sendable {
        package var id: String
        package var title: String
        package var kind: String
        @Nullable package var note: String?
        @Nullable package var latitude: Double?
        @Nullable package var longitude: Double?
        @Nullable package var at: String?

        init(_ stop: SharedStop) {
            id = NotebookID(stop.id).text
            title = stop.title
            kind = stop.kind
            note = stop.note
            latitude = stop.place?.degreesNorth
            longitude = stop.place?.degreesEast
            at = stop.at.map { Timestamp(seconds: Int($0)).text }
        }
    }

    package var summary: SharedSummary
    /// Of a note its text, of a place its note, of an itinerary its description.
    package var text: String
    @Nullable package var url: String?
    @Nullable package var latitude: Double?
    @Nullable package var longitude: Double?
    package var tags: [String]
    package var stops: [StopView]
    /// Where it was asked for, and there was a version before.
    @Nullable package var changes: SharedChangesView?

    init(_ summary: SharedSummary, _ record: SharedRecord, _ changes: SharedChangesView?) {
        self.summary = summary
        text = record.text
        url = record.url.isEmpty ? nil : record.url
        let place = GeoAddress(record.url)?.coordinate
        latitude = place?.degreesNorth
        longitude = place?.degreesEast
        tags = record.tags
        stops = record.stops.map(StopView.init)
        self.changes = changes
    }

    private enum CodingKeys: String, CodingKey {
        case text, url, latitude, longitude, tags, entries, changes
    }

    /// The summary's members stand among the others.
    package func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(text, forKey: .text)
        try fields.encode(_url, forKey: .url)
        try fields.encode(_latitude, forKey: .latitude)
        try fields.encode(_longitude, forKey: .longitude)
        try fields.encode(tags, forKey: .tags)
        try fields.encode(stops, forKey: .entries)
        try fields.encode(_changes, forKey: .changes)
    }
}

/// What a version changed. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct SharedChangesView: Encodable, Sendable {
    package struct Field: Encodable, Sendable {
        package var field: String
        package var before: String
        package var now: String
    }

    package struct Line: Encodable, Sendable {
        /// `added` or `removed`.
        package var change: String
        package var line: Int
        package var text: String
    }

    package struct StopChange: Encodable, Sendable {
        /// `added`, `removed`, `moved` or `changed`.
        package var change: String
        package var id: String
        package var title: String
        @Nullable package var from: Int?
        @Nullable package var to: Int?
        package var fields: [String]
    }

    /// The version that it is compared with.
    package var since: UInt64
    package var fields: [Field]
    package var lines: [Line]
    package var stops: [StopChange]

    init(_ difference: RecordDifference, since: UInt64) {
        self.since = since
        fields = difference.fields.map { Field(field: $0.name, before: $0.before, now: $0.now) }
        lines = difference.lines.lines.map {
            Line(change: $0.isAdded ? "added" : "removed", line: $0.number, text: $0.text)
        }
        stops = difference.stops.entries.map { entry in
            var fields = [String]()
            if case .changed(let names) = entry.change { fields = names }
            return StopChange(
                change: entry.change.word, id: NotebookID(entry.stop.id).text, title: entry.stop.title,
                from: entry.from, to: entry.to, fields: fields)
        }
    }
}

extension StopDifference.Change {
    fileprivate var word: String {
        switch self {
        case .added: "added"
        case .removed: "removed"
        case .moved: "moved"
        case .changed: "changed"
        }
    }
}

/// What became of a publication.
package struct PublishedRecord: Encodable, Sendable {
    /// Of the message.
    package var id: String
    package var status: MessageStatus
    package var record: String
    package var type: String
    package var title: String
    package var version: UInt64
}
