import TourModel

/// What guests' pages have of their tour beside the channel. Source: `Protocol/15-seats.md`, "In the phone".
package enum SeatPage {
    /// The length of a page key in bytes.
    package static let keyBytes = 16
    private static let nameBytes = 8

    /// The page key: every code of the tour's hosts says it, and by it a page opens what it kept.
    /// - Returns: `keyBytes` bytes.
    package static func key(of tour: TourID) -> [UInt8] {
        Array(Hash.of(.seatPage, tour.bytes).bytes.prefix(keyBytes))
    }

    /// The first label of the name by which phones find a host of the tour in the local network; the domain is `local`.
    /// - Returns: 16 hexadecimal digits, which tell nobody else which tour that is, nor whose device.
    package static func name(of host: MemberID, in tour: TourID) -> String {
        Hex.encode(Hash.of(.seatPage, tour.bytes, host.bytes).bytes.prefix(nameBytes))
    }
}
