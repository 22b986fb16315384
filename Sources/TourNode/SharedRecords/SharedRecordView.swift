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
    /// Versions count from 1.
    package var version: UInt64
    /// The author of this version, and the message that published it.
    package var authorID: String
    /// The author's name.
    package var authorName: String
    /// The message that published it.
    package var messageID: String
    /// When, by the author's clock.
    package var publishedAt: String
    /// For an itinerary.
    @Nullable package var stops: Int?
}

/// A shared record with its full content.
package struct SharedRecordView: Encodable, Sendable {
    /// A stop of an itinerary.
    package struct StopView: Encodable, Sendable {
        package var id: String
        package var title: String
        /// The kind of stop, in the guide's words.
        package var kind: String
        @Nullable package var note: String?
        /// Degrees; nil: the stop has no place.
        @Nullable package var latitude: Double?
        /// Degrees; nil: the stop has no place.
        @Nullable package var longitude: Double?
        /// When to be there.
        @Nullable package var at: String?

        init(_ stop: SharedStop) {
            id = stop.id.text
            title = stop.title
            kind = stop.kind
            note = stop.note
            latitude = stop.place?.degreesNorth
            longitude = stop.place?.degreesEast
            at = stop.at.map { Timestamp(seconds: Int($0)).text }
        }
    }

    /// The record's line in lists.
    package var summary: SharedSummary
    /// A note's text, a place's note, or an itinerary's description.
    package var text: String
    /// For a place.
    @Nullable package var url: String?
    /// Degrees; for a place.
    @Nullable package var latitude: Double?
    /// Degrees; for a place.
    @Nullable package var longitude: Double?
    package var tags: [String]
    /// For an itinerary, in its order.
    package var stops: [StopView]
    /// If requested, and if there was a previous version.
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

    /// The summary's fields are encoded among the others.
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

/// The changes of a version. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct SharedChangesView: Encodable, Sendable {
    /// A field whose value changed.
    package struct Field: Encodable, Sendable {
        /// The field's name, as in the schema.
        package var field: String
        package var before: String
        package var now: String
    }

    /// A changed line of the text.
    package struct Line: Encodable, Sendable {
        /// `added` or `removed`.
        package var change: String
        /// From 1.
        package var line: Int
        package var text: String
    }

    /// A stop that changed.
    package struct StopChange: Encodable, Sendable {
        /// `added`, `removed`, `moved` or `changed`.
        package var change: String
        package var id: String
        package var title: String
        /// Its number before, from 1.
        @Nullable package var from: Int?
        /// Its number now, from 1.
        @Nullable package var to: Int?
        /// The fields that changed.
        package var fields: [String]
    }

    /// The version that this one is compared with.
    package var since: UInt64
    /// The fields that changed, the text apart.
    package var fields: [Field]
    /// The changed lines of the text.
    package var lines: [Line]
    /// The stops that changed.
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
                change: entry.change.word, id: entry.stop.id.text, title: entry.stop.title,
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

/// The result of publishing, or of ending that.
package struct PublishedRecord: Encodable, Sendable {
    /// The id of the message.
    package var id: String
    /// How far the message has come.
    package var status: MessageStatus
    /// The record's id, a UUID.
    package var record: String
    /// `note`, `place` or `itinerary`.
    package var type: String
    package var title: String
    /// Versions count from 1.
    package var version: UInt64
}
