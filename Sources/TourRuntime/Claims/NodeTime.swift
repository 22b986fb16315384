import TourModel

/// Corrects the time where the machine's own clock cannot be right: many small computers start in 1970, or on the day
/// of their last shutdown. Source: `Protocol/05-events.md`, "Time".
package enum NodeTime {
    /// The day this version was made, in milliseconds since 1970: every correct clock shows more.
    package static let builtAt: Int64 = 1_763_683_200_000
    /// Later times are not believed, whoever claims them.
    private static let latest = builtAt + 20 * 365 * dayMilliseconds
    private static let dayMilliseconds: Int64 = 86_400_000
    /// A single member that lies, or whose clock is wrong, decides nothing.
    private static let witnessesMin = 3

    /// The time to use.
    /// - Parameters:
    ///   - wallMilliseconds: by our own clock.
    ///   - others: the present times of the clocks of linked members.
    package static func corrected(_ wallMilliseconds: Int64, others: [Int64]) -> Int64 {
        let own = max(wallMilliseconds, builtAt)
        guard others.count >= witnessesMin else { return own }
        let median = others.sorted()[(others.count - 1) / 2]
        return median - own > dayMilliseconds && median <= latest ? median : own
    }
}
