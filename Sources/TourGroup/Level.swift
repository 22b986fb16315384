import TourModel

/// Precedence of authority: the ranks, with the founder above all others that rank as creator.
/// Source: `Protocol/05-events.md`, "Authority".
enum Level: UInt8, Comparable {
    case member = 1
    case guide = 2
    case admin = 3
    /// Ranks as creator because the founder said so.
    case successor = 4
    /// Wrote the genesis.
    case founder = 5

    /// The levels that act, the highest first.
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
