// Positions that members share. Source: `Protocol/06-replication.md`, "Positions".
extension Limits {
    /// The longest time for which a member shares its position at once: a day's tour.
    package static let sharingMillisecondsMax: Int64 = 24 * 3_600 * 1_000
    /// How much later than its row a fix may be, by the receiver's clock.
    package static let fixLeadMillisecondsMax: Int64 = 60 * 1_000
    /// The longest position row: 60 bytes today, and room for additions of later versions.
    package static let positionRowBytesMax = 256
    /// The most rows in one message.
    package static let positionsPerMessageMax = 64
    /// The least time between two rows of a member.
    package static let positionInterval: Duration = .seconds(10)
    /// The age from which a position shows where somebody was, not where it is.
    package static let positionLifetime: Duration = .seconds(180)
}
