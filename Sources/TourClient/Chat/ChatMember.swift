import TourAPI

/// A member, with the properties that the chat shows.
package struct ChatMember: Hashable, Sendable {
    package let id: String
    package let name: MemberName
    /// The number of the member's color.
    package let color: Int
    package let isMe: Bool
    /// Heard of in the last 30 s.
    package let isReachable: Bool
    /// Of a guest: the name of the device that lets it in, safe for a terminal.
    package let host: String?
    /// Neither removed nor gone.
    package let isActive: Bool

    package init(_ member: MemberSummary) {
        id = member.id
        name = MemberName(member.name, namesake: member.namesake ?? "", role: member.role)
        color = member.color
        isMe = member.me
        host = member.by.map { TerminalText.safe($0.name) }
        isReachable = member.reachable
        isActive = !member.removed && !member.left
    }

    /// Whether the chat lists it as near.
    package var isNear: Bool { isActive && (isReachable || isMe) }
}
