import TourModel

/// An hour on one network: some messages, each of which everybody reads within half a minute.
package struct HourPlan: MeasurePlan {
    private static let hour: Duration = .seconds(3_600)
    /// A sixth of an hour without writing and reading, to measure what that costs.
    private static let idle: Duration = .seconds(600)
    private static let readingDelay: Duration = .seconds(30)
    private static let deliveryLimit: Duration = .seconds(60)

    package let members: Int
    /// How many messages are written.
    package let messages: Int
    package let seed: UInt64
    package let conditions: MeasureConditions

    package init(members: Int, messages: Int, seed: UInt64, conditions: MeasureConditions) {
        self.members = members
        self.messages = messages
        self.seed = seed
        self.conditions = conditions
    }

    package func play() -> HourResult {
        let tour = MeasuredTour(.oneSegment(members, seed: seed), conditions, seed: seed)
        let start = tour.counts
        tour.run(for: Self.idle)
        let idle = tour.counts - start
        let before = tour.counts
        tour.onArrival = { [unowned tour] node, events in
            for event in events {
                let delay = tour.randomDuration(upTo: Self.readingDelay)
                tour.after(delay) { [unowned tour] in tour.simulation.read(event, node: node) }
            }
        }
        tour.plan(messages, every: Self.hour / max(1, messages), from: Array(0..<members))
        tour.run(for: Self.hour)
        let counts = tour.counts - before
        tour.runUntilDelivered(within: Self.deliveryLimit)
        return HourResult(
            plan: self, rowBytes: counts.rowBytes,
            idleRowBytes: Int(Double(idle.rowBytes) * (Self.hour / Self.idle)), totalBytes: counts.totalBytes,
            missing: tour.book.missing)
    }
}

/// The result of an `HourPlan`.
package struct HourResult: Hashable, Sendable {
    package let plan: HourPlan
    /// Of claim rows, with a share of the headers around them.
    package let rowBytes: Int
    /// The same in an hour in which nobody writes or reads.
    package let idleRowBytes: Int
    /// Of everything in the hour.
    package let totalBytes: Int
    /// Pairs of a message and a member that it never reached.
    package let missing: Int

    /// Bytes of claim rows that writing and reading causes.
    package var rowBytesBeyondIdle: Int { rowBytes - idleRowBytes }
}
