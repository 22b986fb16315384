import TourModel

/// The bytes that a member signs about its position. Source: `Protocol/06-replication.md`, "Positions".
package enum PositionRow {
    /// The bytes that the identity's signature covers.
    /// - Parameter row: the exact bytes of a `PositionRow`.
    package static func digest(_ row: [UInt8], of member: MemberID, tour: TourID) -> [UInt8] {
        Hash.of(.position, tour.bytes, member.bytes, row).bytes
    }
}
