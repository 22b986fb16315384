/// A member's standing in one tour. Source: `Protocol/05-events.md`, "Authority".
package enum Rank: UInt8, Comparable, Sendable, CaseIterable {
    case member = 1
    case guide = 2
    case admin = 3
    case creator = 4

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }

    /// Whether members of this rank may announce and invite.
    package var leads: Bool { self >= .guide }
}
