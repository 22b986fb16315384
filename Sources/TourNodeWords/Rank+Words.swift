import TourModel
import TourWords

extension Rank {
    /// The user's word for the rank.
    var phrase: Phrase {
        switch self {
        case .member: Phrase("member")
        case .guide: Phrase("guide")
        case .admin: Phrase("admin")
        case .creator: Phrase("creator")
        }
    }
}
