import TourJSON
import TourWeb

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

    package init?(_ json: JSON) {
        guard let id = json["id"]?.text else { return nil }
        self.id = id
        name = MemberName(
            json.shown("name"), namesake: json.shown("namesake"), role: json.shown("role"))
        color = json["color"]?.integer ?? 0
        isMe = json["me"]?.flag ?? false
        host = json["by"]?["name"]?.text.map { TerminalText.safe($0) }
        isReachable = json["reachable"]?.flag ?? false
        isActive = json["removed"]?.flag != true && json["left"]?.flag != true
    }

    /// Whether the chat lists it as near.
    package var isNear: Bool { isActive && (isReachable || isMe) }
}
