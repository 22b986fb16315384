/// What a member's version can show, as its rows say. Bits of later versions are kept and mean nothing here.
/// Source: `Protocol/registries.md`, "Abilities".
package struct Abilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Texts and announcements. Set by everybody who says anything here, so that no bits mean that nothing is said.
    package static let texts = Abilities(rawValue: 1 << 0)
    /// Alarms, their answers, and who has understood an urgent announcement.
    package static let alarms = Abilities(rawValue: 1 << 1)
    /// Roll calls, their answers and buddies.
    package static let rolls = Abilities(rawValue: 1 << 2)
    /// Files and pictures.
    package static let files = Abilities(rawValue: 1 << 3)
    /// Places, meeting points and positions.
    package static let places = Abilities(rawValue: 1 << 4)
    /// Records that guides share.
    package static let shared = Abilities(rawValue: 1 << 5)
    /// Guests, as such.
    package static let guests = Abilities(rawValue: 1 << 6)
    /// Words between one person and those who lead, and quiet.
    package static let asides = Abilities(rawValue: 1 << 7)

    /// Those of this version.
    package static let own: Abilities = [.texts, .alarms, .rolls, .files, .places, .shared, .guests, .asides]
}
