import TourModel

/// What a member signs of where it is. Source: `Protocol/06-replication.md`, "Positions".
package enum PositionRow {
    /// What the identity's signature covers.
    /// - Parameter row: exact bytes of a `PositionRow`.
    package static func digest(_ row: [UInt8], of member: MemberID, tour: TourID) -> [UInt8] {
        Hash.of(.position, tour.bytes, member.bytes, row).bytes
    }
}
