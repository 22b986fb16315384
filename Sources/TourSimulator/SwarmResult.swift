/// How a swarm ended.
package struct SwarmResult: Hashable, Sendable {
    package let seed: UInt64
    /// The fitted options that were played.
    package let options: SwarmOptions
    /// Two runs with the same hash took the same course.
    package let trace: UInt64
    /// How long the swarm was played.
    package let virtualTime: Duration
    /// From the last fault until all nodes agreed; nil when they never did.
    package let convergence: Duration?
    /// Events that users were told are kept.
    package let events: Int
    /// The traffic.
    package let counts: TrafficCounts
    /// Where nodes choose their links: from the last fault until all were linked as they should be; nil when they
    /// never were.
    package let repair: Duration?
    /// Counts of dials and repairs.
    package let overlay: OverlayCounts
    /// nil: the swarm passed.
    package let failure: SwarmFailure?
}

/// A checker's report.
package struct SwarmFailure: Hashable, Sendable, CustomStringConvertible {
    /// The checker's name.
    package let checker: String
    /// What it found, in one line or more.
    package let problem: String

    package var description: String { "\(checker): \(problem)" }
}
