/// Asides. Source: `Protocol/05-events.md`, "Asides".
extension Limits {
    /// The most members who can open one aside; of more who lead those with the highest ranks.
    package static let asideReadersMax = 64
    /// The longest text of an aside: padded and beside all wraps it fits a sealed body.
    package static let asideTextBytesMax = 4_096
    /// The most changes between quiet and open that a node keeps of a tour: the newest.
    package static let quietChangesMax = 1_024
}
