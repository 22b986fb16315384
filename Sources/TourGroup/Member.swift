import TourModel

/// A member's rank after a place in its log.
package struct RankStep: Hashable, Sendable {
    /// The last place of the previous rank.
    package let after: UInt64
    /// The rank from there on.
    package let rank: Rank
}

/// One device in one tour, as the control events state. Source: `Protocol/05-events.md`, "Roster".
package struct Member: Hashable, Sendable {
    /// The member's name.
    package let id: MemberID
    /// The key that verifies its signatures.
    package let identity: SigningKey
    /// The static key of its links.
    package let linkKey: LinkKey
    /// The wrapping key of its admission.
    package let wrappingKey: WrappingKey
    /// The rank at the end of its log.
    package internal(set) var rank: Rank
    /// The clock of the event that admitted the member.
    package let admittedAt: LogicalClock
    /// Whether it is a server's archive, as its request states: it reads, and is on no network.
    package let isArchive: Bool
    /// The member who let it in as a guest, as its request states; nil for a member with a device of its own.
    /// Source: `Protocol/15-seats.md`.
    package let admittedBySeatHost: MemberID?
    /// Whether it left.
    package internal(set) var hasLeft = false
    /// Whether a removal of it counts.
    package internal(set) var isRemoved = false
    /// Whether two events at one place of its log are known: its key is used up.
    package internal(set) var isForked = false
    /// The last event of its log that counts; nil: all count.
    package internal(set) var end: LogEnd?
    /// Where its rank changed, ascending; before the first it was a member. Empty for the founder.
    package internal(set) var steps: [RankStep] = []
    /// The role events that a new one on this member must replace.
    package internal(set) var roles: [EventID] = []

    init(
        id: MemberID, identity: SigningKey, linkKey: LinkKey, wrappingKey: WrappingKey, rank: Rank,
        admittedAt: LogicalClock, isArchive: Bool = false, admittedBySeatHost: MemberID? = nil
    ) {
        self.id = id
        self.identity = identity
        self.linkKey = linkKey
        self.wrappingKey = wrappingKey
        self.rank = rank
        self.admittedAt = admittedAt
        self.isArchive = isArchive
        self.admittedBySeatHost = admittedBySeatHost
    }

    /// Whether it is still in the tour: others link with it, and new events are meant for it.
    package var isActive: Bool { !hasLeft && !isRemoved && !isForked }

    /// Whether it is a guest's seat: another member's device writes for it.
    package var isGuest: Bool { admittedBySeatHost != nil }

    /// Its rank at this place of its log.
    package func rank(at sequence: UInt64) -> Rank {
        steps.last { $0.after < sequence }?.rank ?? (steps.isEmpty ? rank : .member)
    }

    /// Whether the event at this place in its log counts.
    package func reaches(_ sequence: UInt64, _ id: EventID) -> Bool { end?.reaches(sequence, id) ?? true }
}
