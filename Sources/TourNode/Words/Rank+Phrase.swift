import TourModel
import TourWords

extension Rank {
    /// What people call it.
    var phrase: Phrase {
        switch self {
        case .member: Phrase("member")
        case .guide: Phrase("guide")
        case .admin: Phrase("admin")
        case .creator: Phrase("creator")
        }
    }
}
