import TourModel

/// The bytes that a member signs about a server's frontier. Source: `Protocol/09-mailbox.md`, "Synced".
package enum SyncedRow {
    /// The bytes that the identity's signature covers.
    /// - Parameter row: the exact bytes of a `FrontierRow`.
    package static func digest(_ row: [UInt8], of member: MemberID, tour: TourID) -> [UInt8] {
        Hash.of(.synced, tour.bytes, member.bytes, row).bytes
    }
}
