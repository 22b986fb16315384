import TourModel

/// The claims of a member's token: the member, and its tour. The token opens the routes of that tour alone.
package struct MemberToken: Hashable, Sendable {
    /// The tour that the token opens.
    package let tour: TourID
    /// The member that proved its identity.
    package let member: MemberID

    private static let prefix = "member:"

    package init(tour: TourID, member: MemberID) {
        self.tour = tour
        self.member = member
    }

    /// - Returns: nil for the subject of another kind of token.
    init?(subject: String) {
        guard subject.hasPrefix(Self.prefix) else { return nil }
        let parts = subject.dropFirst(Self.prefix.count).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let tour = TourID(hex: String(parts[0])), let member = MemberID(hex: String(parts[1]))
        else { return nil }
        self.init(tour: tour, member: member)
    }

    var subject: String { Self.prefix + tour.hex + ":" + member.hex }
}
