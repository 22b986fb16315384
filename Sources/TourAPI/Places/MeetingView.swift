import TourModel

/// The meeting point of a tour, and the answers to it. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct MeetingView: Encodable, Hashable, JSONObject {
    /// One member's answer.
    package struct Answer: Encodable, Hashable, JSONObject {
        /// The author.
        package var memberID: String
        package var name: String
        /// `on-my-way`, `late` or `lost`.
        package var answer: String
        /// For `late`: by how many minutes.
        @Nullable package var minutes: UInt32?
        /// When, by the author's clock.
        package var at: String
    }

    /// A meeting point that somebody else had set shortly before.
    package struct Rival: Encodable, Hashable, JSONObject {
        /// The name of the member who set it.
        package var name: String
        /// Its label, or its words where it has none.
        package var text: String
        /// Whether this node's member set it.
        package var mine: Bool
    }

    package var id: String
    /// The name of the member who set it.
    package var by: String
    /// The words of the member who set it.
    package var text: String
    /// Nil: the place is given in words only.
    @Nullable package var latitude: Double?
    /// Nil: the place is given in words only.
    @Nullable package var longitude: Double?
    /// The name of the place.
    @Nullable package var label: String?
    /// When to meet.
    @Nullable package var meetAt: String?
    /// Seconds until the meeting; negative: since.
    @Nullable package var secondsLeft: Int?
    /// Nil: never.
    @Nullable package var expiresAt: String?
    package var expired: Bool
    /// A picture of the place.
    @Nullable package var photo: FileView?
    /// Lost members first, then late ones, each by name.
    package var answers: [Answer]
    /// The names of the members who have not answered, the one who set it apart.
    package var unanswered: [String]
    /// The one that this one replaced within ten minutes, if somebody else had set that.
    @Nullable package var insteadOf: Rival?
}
