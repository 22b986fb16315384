import TourModel

/// A shared record as lists have it. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct SharedSummary: Encodable, JSONObject {
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

/// The result of publishing, or of ending that.
package struct PublishedRecord: Encodable, JSONObject {
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

/// The result of copying.
package struct CopiedRecord: Encodable, JSONObject {
    /// The id of the new item.
    package var id: String
    package var type: String
    package var title: String
}
