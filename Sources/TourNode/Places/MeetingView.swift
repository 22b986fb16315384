import TourWire

/// The meeting point of a tour, and who said what about it. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct MeetingView: Encodable, Sendable {
    package struct Answer: Encodable, Sendable {
        package var memberID: String
        package var name: String
        /// `on-my-way`, `late` or `lost`.
        package var answer: String
        @Nullable package var minutes: UInt32?
        package var at: String
    }

    package var id: String
    /// Who set it, by name.
    package var by: String
    package var text: String
    /// Nil: words alone say the place.
    @Nullable package var latitude: Double?
    @Nullable package var longitude: Double?
    @Nullable package var label: String?
    @Nullable package var meetAt: String?
    /// Until it is time; negative: since.
    @Nullable package var secondsLeft: Int?
    @Nullable package var expiresAt: String?
    package var expired: Bool
    @Nullable package var photo: FileView?
    /// By name, those who are lost first, then those who are late.
    package var answers: [Answer]
    /// The names of those who have not answered, but for who set it.
    package var unanswered: [String]
}

extension MeetingAnswer.State {
    /// As commands and JSON spell it.
    var word: String {
        switch self {
        case .onMyWay: "on-my-way"
        case .late: "late"
        case .lost: "lost"
        }
    }

    init?(word: String) {
        guard let state = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = state
    }
}
