import TourModel
import TourWire

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

    /// - Returns: nil for a word that is none of the four.
    package init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}
