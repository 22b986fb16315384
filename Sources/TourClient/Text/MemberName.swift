/// A member's name as people see it, safe for a terminal.
///
/// Anybody can take anybody's name. So the member cannot choose the sign after it: the first digits of its id where
/// another name reads the same, and a star where it leads the tour. A star in a name is shown as an asterisk.
package struct MemberName: Hashable, Sendable {
    /// The name that the member chose.
    package let given: String
    /// The sign after it: ` (77d1) ★`, or less.
    package let sign: String
    /// The name with the digits that distinguish it from others that read the same, without the star: as commands
    /// take it.
    package let distinct: String

    /// The name with its sign.
    package var whole: String { given + sign }

    /// - Parameter namesake: digits of the id; empty where the name is unique.
    /// - Parameter role: empty where it does not matter.
    package init(_ name: String, namesake: String = "", role: String = "") {
        given = String(TerminalText.safe(name).map { Self.isStar($0) ? "*" : $0 })
        let digits = namesake.isEmpty ? "" : " (\(TerminalText.safe(namesake)))"
        distinct = given + digits
        sign = digits + (Self.leading.contains(role) ? " " + Self.star : "")
    }

    /// The sign of members who lead.
    package static let star = "★"
    private static let leading: Set<String> = ["guide", "admin", "creator", "successor"]

    private static func isStar(_ character: Character) -> Bool {
        character.unicodeScalars.contains { scalar in stars.contains { $0.contains(scalar.value) } }
    }

    /// Stars, and characters that look like one. Source: Unicode 16, Dingbats and other blocks.
    private static let stars: [ClosedRange<UInt32>] = [
        0x066D...0x066D, 0x22C6...0x22C6, 0x2605...0x2606, 0x2721...0x2730, 0x2736...0x273D, 0x2B50...0x2B52,
        0x1F31F...0x1F31F, 0x1F7C9...0x1F7D4,
    ]
}
