import TourAPI
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Members who answer for each other in roll calls. Source: `Protocol/05-events.md`, "Roll calls".
extension TourNode {
    /// The groups, with those of their members who are still in the tour.
    package func buddies(_ tour: String?) throws -> [BuddyGroupView] {
        let session = try session(tour)
        let view = session.view(store)
        let people = session.group.roster.people
        return session.rolls.buddies.map { group in
            BuddyGroupView(
                members: group.compactMap { prefix in people.first { $0.id.prefix == prefix }?.id }.map {
                    BuddyGroupView.Member(memberID: $0.hex, name: view.distinctName(of: $0))
                })
        }
    }

    /// Replaces all groups by these.
    /// - Throws: `not-allowed`, `unknown-member`, `ambiguous-name`, `bad-buddies`.
    package func setBuddies(_ groups: [[String]], in tour: String?) async throws -> [BuddyGroupView] {
        let session = try leading(tour)
        let members = try groups.map { try $0.map { try member($0, in: session).id.prefix } }
        let all = members.flatMap { $0 }
        guard members.count <= Limits.buddyGroupsMax, Set(all).count == all.count,
            members.allSatisfy({ Limits.buddyGroupMembers.contains($0.count) })
        else {
            throw NodeError.roll(.badBuddies)
        }
        try await write(content: .buddies(Buddies(groups: members)), in: session)
        recordUse(of: session)
        return try buddies(session.tour.hex)
    }
}
