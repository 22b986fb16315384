import TourModel
import TourWire

/// How the devices of a roster are named: by the first eight bytes of the id, which are one member's alone, and by link
/// keys, which several may have named. Source: `Protocol/05-events.md`, "Roster".
package struct DeviceKeys: Hashable, Sendable {
    package private(set) var byLinkKey: [LinkKey: Set<MemberID>] = [:]
    private var prefixes: Set<UInt64> = []

    package init() {}

    /// - Returns: false when a member's id begins alike.
    package mutating func take(_ member: MemberID, _ linkKey: LinkKey) -> Bool {
        guard isNew(member) else { return false }
        byLinkKey[linkKey, default: []].insert(member)
        prefixes.insert(member.prefix)
        return true
    }

    package func isNew(_ member: MemberID) -> Bool { !prefixes.contains(member.prefix) }
}
