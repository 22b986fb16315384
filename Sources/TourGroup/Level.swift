import TourModel

/// Whose word counts for more: the ranks, with the founder above whoever else ranks as creator.
/// Source: `Protocol/05-events.md`, "Authority".
enum Level: UInt8, Comparable {
    case member = 1
    case guide = 2
    case admin = 3
    /// Ranks as creator by the founder's word.
    case successor = 4
    /// Wrote the genesis.
    case founder = 5

    /// Those who act, the first word first.
    static let acting: [Level] = [.founder, .successor, .admin, .guide]

    init(_ rank: Rank) {
        self =
            switch rank {
            case .member: .member
            case .guide: .guide
            case .admin: .admin
            case .creator: .successor
            }
    }

    var rank: Rank {
        switch self {
        case .member: .member
        case .guide: .guide
        case .admin: .admin
        case .successor, .founder: .creator
        }
    }

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
}
