import TourWire

/// A member who is lost, or was. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct AlarmView: Encodable, Sendable {
    package struct Answer: Encodable, Sendable {
        package var memberID: String
        package var name: String
        /// `seen`, `on-my-way`, `wait` or `found`.
        package var answer: String
        package var at: String
    }

    /// The message.
    package var id: String
    package var memberID: String
    package var name: String
    /// This node's member is the one who is lost.
    package var mine: Bool
    /// It stands: nobody has ended it, and it is not a day old.
    package var open: Bool
    /// In its words; empty: it said none.
    package var text: String
    package var at: String
    /// The last place that it shared.
    @Nullable package var location: FixView?
    /// By name, whom its device was linked with.
    package var near: [String]
    @Nullable package var batteryPercent: Int?
    /// The oldest first.
    package var answers: [Answer]
    /// What this node's member answered.
    @Nullable package var answered: String?
    /// This node's member may answer.
    package var leads: Bool
    /// Others who lead, and how many of them are known to have it.
    package var guides: Int
    package var guidesReached: Int
}

extension AlarmAnswer.Word {
    /// As commands and JSON spell it.
    package var word: String {
        switch self {
        case .seen: "seen"
        case .coming: "on-my-way"
        case .wait: "wait"
        case .found: "found"
        }
    }

    package init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}
