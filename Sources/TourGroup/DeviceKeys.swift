import TourModel
import TourWire

/// The names of a roster's devices: the first eight bytes of the id, which are unique to one member, and the link keys,
/// which several members may have named. Source: `Protocol/05-events.md`, "Roster".
package struct DeviceKeys: Hashable, Sendable {
    /// The members that named each link key.
    package private(set) var byLinkKey: [LinkKey: Set<MemberID>] = [:]
    private var prefixes: Set<UInt64> = []

    package init() {}

    /// - Returns: false when another member's id has the same prefix.
    package mutating func insert(_ member: MemberID, _ linkKey: LinkKey) -> Bool {
        guard isNew(member) else { return false }
        byLinkKey[linkKey, default: []].insert(member)
        prefixes.insert(member.prefix)
        return true
    }

    /// Whether no member's id has this one's prefix.
    package func isNew(_ member: MemberID) -> Bool { !prefixes.contains(member.prefix) }
}
