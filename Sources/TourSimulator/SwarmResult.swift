/// How a swarm ended.
package struct SwarmResult: Hashable, Sendable {
    package let seed: UInt64
    package let options: SwarmOptions
    /// Two runs with one hash took the same course.
    package let trace: UInt64
    package let virtualTime: Duration
    /// From the last fault until all were the same; nil when they never were.
    package let convergence: Duration?
    /// Events that users were told are kept.
    package let events: Int
    package let counts: TrafficCounts
    /// Where nodes chose their links: from the last fault until all were linked as they should be; nil when they never
    /// were.
    package let repair: Duration?
    package let overlay: OverlayCounts
    package let failure: SwarmFailure?
}

/// What a checker found.
package struct SwarmFailure: Hashable, Sendable, CustomStringConvertible {
    package let checker: String
    package let problem: String

    package var description: String { "\(checker): \(problem)" }
}
