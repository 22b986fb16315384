// Positions that members share. Source: `Protocol/06-replication.md`, "Positions".
extension Limits {
    /// The longest time for which a position is shared at once: a day's tour.
    package static let sharingMillisecondsMax: Int64 = 24 * 3_600 * 1_000
    /// A fix may be later than the row that tells it, by the receiver's clock.
    package static let fixLeadMillisecondsMax: Int64 = 60 * 1_000
    /// A position row: 60 bytes today, and room for what a later version adds.
    package static let positionRowBytesMax = 256
    /// Rows in one message.
    package static let positionsPerMessageMax = 64
    /// The least time between two rows of a sharer, how far it moves before another is worth it, and the time after
    /// which one shows that it still shares.
    package static let positionInterval: Duration = .seconds(10)
    package static let positionMetres: Double = 15
    package static let positionHeartbeat: Duration = .seconds(60)
    /// A position that is older is not where somebody is, but where it was.
    package static let positionLifetime: Duration = .seconds(180)
}
