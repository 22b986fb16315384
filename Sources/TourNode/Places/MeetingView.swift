import TourModel
import TourWire

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
