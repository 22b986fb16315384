/// How far a member has read, as its claims say one after the other. What comes to it late, behind the place that it
/// had reached, makes that fall until it is read as well. Source: `Protocol/06-replication.md`, "Receipts".
package struct ReadPlace: Sendable {
    /// Up to which logical clock everything was displayed that the member had when it last spoke.
    package private(set) var clock: UInt64 = 0
    /// The furthest that it ever was.
    private(set) var furthest = Growth()
    /// Since it fell back: when that was, and how far it came since.
    private(set) var again: (at: Int64, growth: Growth)?

    package init() {}

    /// As it was kept.
    init(clock: UInt64, furthest: Growth, again: (at: Int64, growth: Growth)?) {
        self.clock = clock
        self.furthest = furthest
        self.again = again
    }

    /// The member's newest claim says so.
    /// - Returns: whether that is news.
    @discardableResult
    package mutating func note(_ value: UInt64, at time: Int64, stepsMax: Int) -> Bool {
        guard value != clock else { return false }
        if value < clock {
            // While it lags behind an earlier place, that one still divides what it had from what came later.
            var growth = Growth()
            growth.raise(to: value, at: time, stepsMax: stepsMax)
            again = (clock < furthest.value ? again?.at ?? time : time, growth)
        }
        clock = value
        furthest.raise(to: value, at: time, stepsMax: stepsMax)
        again?.growth.raise(to: value, at: time, stepsMax: stepsMax)
        return true
    }

    /// Since when the member has read a message with this clock, at most; nil: it is not known to have.
    /// - Parameter deliveredAt: since when it has the message; nil: not known, so perhaps since it fell back.
    package func time(of value: UInt64, deliveredAt: Int64?) -> Int64? {
        if let again, deliveredAt ?? .max >= again.at { return again.growth.time(of: value) }
        return furthest.time(of: value)
    }
}
