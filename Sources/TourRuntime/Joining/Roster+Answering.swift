import TourGroup
import TourLink
import TourModel

// Whom a node answers, by what its roster says. Source: `Protocol/03-handshake.md`, `Protocol/07-joining.md`.
extension Roster {
    /// The invites whose holders we answer. A closed tour, and some that are over, answer too, so that the joiner
    /// learns why it cannot join.
    /// - Parameter count: how many other credentials we answer already.
    package func answeredInvites(beside count: Int, wallMilliseconds: Int64) -> [InviteState] {
        let invites = codes
        let open = invites.filter { $0.isOpen(wallMilliseconds: wallMilliseconds) }
        let over = invites.filter { !$0.isOpen(wallMilliseconds: wallMilliseconds) }
            .prefix(max(0, Limits.credentialsMax / 2 - open.count - count))
        return Array((open + over).prefix(Limits.credentialsMax))
    }

    /// What this link key is to us.
    package func standing(of key: LinkKey) -> PeerStanding {
        guard let named = byLinkKey[key] else { return .unknown }
        // Nobody has the private half of a guest's link key: a link by one is nobody's.
        let active = named.filter { members[$0].map { $0.isActive && !$0.isGuest } ?? false }
        return active.isEmpty ? .former(named) : .members(active)
    }
}
