import TourModel

/// What a member's token says: who it is, in which tour. It is good for the mailbox of that tour and nothing else.
package struct MemberToken: Hashable, Sendable {
    package let tour: TourID
    package let member: MemberID

    private static let prefix = "member:"

    init(tour: TourID, member: MemberID) {
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
