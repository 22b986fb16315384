import TourModel

/// A member's rank after a place in its log.
package struct RankStep: Hashable, Sendable {
    package let after: UInt64
    package let rank: Rank
}

/// One device in one tour, as the control events say. Source: `Protocol/05-events.md`, "Roster".
package struct Member: Hashable, Sendable {
    package let id: MemberID
    package let identity: SigningKey
    package let linkKey: LinkKey
    package let wrappingKey: WrappingKey
    /// At the end of its log.
    package internal(set) var rank: Rank
    /// The clock of the event that let the member in.
    package let admittedAt: LogicalClock
    /// A server's archive, as its request says: it reads, and is on no network.
    package let isArchive: Bool
    package internal(set) var hasLeft = false
    package internal(set) var isRemoved = false
    /// Two events of one place in its log are known: the key is used up.
    package internal(set) var isForked = false
    /// The last of its log that counts; nil: all of it.
    package internal(set) var end: LogEnd?
    /// Where its rank changed, ascending; before the first it was a member. Empty for the founder.
    package internal(set) var steps: [RankStep] = []
    /// The role events that a new one on this member replaces.
    package internal(set) var roles: [EventID] = []

    init(
        id: MemberID, identity: SigningKey, linkKey: LinkKey, wrappingKey: WrappingKey, rank: Rank,
        admittedAt: LogicalClock, isArchive: Bool = false
    ) {
        self.id = id
        self.identity = identity
        self.linkKey = linkKey
        self.wrappingKey = wrappingKey
        self.rank = rank
        self.admittedAt = admittedAt
        self.isArchive = isArchive
    }

    /// Whether it is still in: its links are made, and what is said is meant for it.
    package var isActive: Bool { !hasLeft && !isRemoved && !isForked }

    /// What it ranked when it wrote this.
    package func rank(at sequence: UInt64) -> Rank {
        steps.last { $0.after < sequence }?.rank ?? (steps.isEmpty ? rank : .member)
    }

    /// Whether the event at this place in its log counts.
    package func reaches(_ sequence: UInt64, _ id: EventID) -> Bool { end?.reaches(sequence, id) ?? true }
}
