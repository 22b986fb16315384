import TourModel

// A member's rights, for callers that check before they write: an event written without the right has no effect.
// Source: `Protocol/05-events.md`, "Authority".
extension Roster {
    /// Whether `author` may change the rank of `member` to this one.
    package func lets(_ author: MemberID, give rank: Rank, to member: MemberID) -> Bool {
        guard let acting = level(of: author), let present = level(of: member) else { return false }
        return acting >= .admin && present < acting && Level(rank) < acting
    }

    /// Whether `author` may remove `member`.
    package func lets(_ author: MemberID, remove member: MemberID) -> Bool {
        guard let acting = level(of: author), let present = level(of: member) else { return false }
        return acting >= .guide && present < acting
    }

    /// - Returns: nil for anybody who is no active member.
    private func level(of id: MemberID) -> Level? {
        guard let member = members[id], member.isActive else { return nil }
        return id == creator ? .founder : Level(member.rank)
    }
}
