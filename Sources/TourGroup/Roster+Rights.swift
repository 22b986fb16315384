import TourModel

// What a member may do, for those who ask before they write: whatever is written all the same has no effect.
// Source: `Protocol/05-events.md`, "Authority".
extension Roster {
    /// Whether `author` may change the rank of `member` to this one.
    package func lets(_ author: MemberID, give rank: Rank, to member: MemberID) -> Bool {
        guard let acting = level(of: author), let present = level(of: member) else { return false }
        return acting >= .admin && present < acting && Level(rank) < acting
    }

    package func lets(_ author: MemberID, remove member: MemberID) -> Bool {
        guard let acting = level(of: author), let present = level(of: member) else { return false }
        return acting >= .guide && present < acting
    }

    /// - Returns: nil for somebody who is not in the tour any more.
    private func level(of id: MemberID) -> Level? {
        guard let member = members[id], member.isActive else { return nil }
        return id == creator ? .founder : Level(member.rank)
    }
}
