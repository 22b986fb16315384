import TourModel

/// When the records of others are followed. Avahi repeats its question for as long as a browser is open, so a node that
/// rests opens one for a moment now and then: somebody may be on the network whose beacons do not arrive.
package struct BrowseSchedule: Sendable {
    /// How long such a look takes: long enough for Avahi's first three questions.
    package static let lookTime: Duration = .seconds(12)
    /// The time between two looks, on average.
    package static let restTime: Duration = .seconds(300)

    /// The next look, or the present one; nil while the node does not rest.
    private var look: (begins: Instant, ends: Instant)?

    package init() {}

    /// Whether browsers are to be open now.
    package mutating func isOpen(
        _ effort: DiscoveryEffort, now: Instant, using rng: inout some RandomNumberGenerator
    ) -> Bool {
        guard case .rest = effort else {
            look = nil
            return true
        }
        if let look, now < look.ends { return now >= look.begins }
        let half = Self.restTime.microseconds / 2
        let begins = now + .microseconds(Int64.random(in: half...half * 3, using: &rng))
        look = (begins, begins + Self.lookTime)
        return false
    }
}
