import TourModel

/// A shared record with its full content.
package struct SharedRecordView: Encodable, Sendable {
    /// A stop of an itinerary.
    package struct StopView: Encodable, JSONObject {
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

    package init(
        summary: SharedSummary, text: String, url: String?, latitude: Double?, longitude: Double?, tags: [String],
        stops: [StopView], changes: SharedChangesView?
    ) {
        (self.summary, self.text, self.url, self.latitude) = (summary, text, url, latitude)
        (self.longitude, self.tags, self.stops, self.changes) = (longitude, tags, stops, changes)
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

extension SharedRecordView: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        try self.init(
            summary: members.among(), text: members["text"], url: members["url"], latitude: members["latitude"],
            longitude: members["longitude"], tags: members["tags"], stops: members["entries"],
            changes: members["changes"])
    }
}
