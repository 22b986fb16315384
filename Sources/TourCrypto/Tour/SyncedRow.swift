import TourModel

/// What a member signs of a server's frontier. Source: `Protocol/09-mailbox.md`, "Synced".
package enum SyncedRow {
    /// What the identity's signature covers.
    /// - Parameter row: exact bytes of a `FrontierRow`.
    package static func digest(_ row: [UInt8], of member: MemberID, tour: TourID) -> [UInt8] {
        Hash.of(.synced, tour.bytes, member.bytes, row).bytes
    }
}
