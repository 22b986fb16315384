/// How far a member has read, by its successive claims. A message that arrives there late, before the place that it
/// had reached, makes that place fall until the member has read the message as well. Source:
/// `Protocol/06-replication.md`, "Receipts".
package struct ReadPlace: Sendable {
    /// The logical clock up to which the member had displayed everything that it held, by its newest claim.
    package private(set) var clock: UInt64 = 0
    /// The furthest clock that it ever reached.
    private(set) var furthest = Growth()
    /// When it last fell back, and its growth since then.
    private(set) var again: (at: Int64, growth: Growth)?

    package init() {}

    /// Restores a stored place.
    init(clock: UInt64, furthest: Growth, again: (at: Int64, growth: Growth)?) {
        self.clock = clock
        self.furthest = furthest
        self.again = again
    }

    /// Records the member's newest claim.
    /// - Returns: whether that changed anything.
    @discardableResult
    package mutating func record(_ value: UInt64, at time: Int64, stepsMax: Int) -> Bool {
        guard value != clock else { return false }
        if value < clock {
            // While the place lags behind an earlier one, that one still separates messages that the member had from
            // later arrivals.
            var growth = Growth()
            growth.raise(to: value, at: time, stepsMax: stepsMax)
            again = (clock < furthest.value ? again?.at ?? time : time, growth)
        }
        clock = value
        furthest.raise(to: value, at: time, stepsMax: stepsMax)
        again?.growth.raise(to: value, at: time, stepsMax: stepsMax)
        return true
    }

    /// When the member had read a message with this clock, at the latest; nil: it is not known to have.
    /// - Parameter deliveredAt: when it had the message; nil: unknown, so perhaps since it fell back.
    package func time(of value: UInt64, deliveredAt: Int64?) -> Int64? {
        if let again, deliveredAt ?? .max >= again.at { return again.growth.time(of: value) }
        return furthest.time(of: value)
    }
}
