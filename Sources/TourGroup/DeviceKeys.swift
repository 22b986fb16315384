import TourModel
import TourWire

/// What tells the devices of a roster apart: each member's link key, and the first eight bytes of its id, by which
/// rekeys and frontiers name it. Source: `Protocol/05-events.md`, "Roster".
package struct DeviceKeys: Hashable, Sendable {
    package private(set) var byLinkKey: [LinkKey: MemberID] = [:]
    private var prefixes: Set<UInt64> = []

    package init() {}

    /// - Returns: false when a member has the link key, or an id that begins alike.
    package mutating func take(_ member: MemberID, _ linkKey: LinkKey) -> Bool {
        guard isNew(member, linkKey) else { return false }
        byLinkKey[linkKey] = member
        prefixes.insert(member.prefix)
        return true
    }

    package func isNew(_ member: MemberID, _ linkKey: LinkKey) -> Bool {
        byLinkKey[linkKey] == nil && !prefixes.contains(member.prefix)
    }
}
