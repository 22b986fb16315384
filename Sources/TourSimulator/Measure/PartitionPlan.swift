import TourModel

/// Two networks and one link between them, which is cut for a minute while both sides chat.
package struct PartitionPlan: MeasurePlan {
    private static let cut: Duration = .seconds(60)
    private static let limit: Duration = .seconds(120)

    package let members: Int
    package let seed: UInt64
    package let conditions: MeasureConditions

    package init(members: Int, seed: UInt64, conditions: MeasureConditions) {
        self.members = members
        self.seed = seed
        self.conditions = conditions
    }

    package func play() -> PartitionResult {
        let tour = MeasuredTour(.twoHalves(members, seed: seed), conditions, seed: seed)
        let halves = [Array(0..<members / 2), Array(members / 2..<members)]
        tour.simulation.partition(halves)
        // The last message has reached its own side when the link comes back.
        let messages = Int(Self.cut.components.seconds) - 1
        for half in halves { tour.plan(messages, every: .seconds(1), from: half) }
        tour.run(for: Self.cut)
        let apart = tour.book.missing
        tour.simulation.heal()
        let healed = tour.now
        tour.runUntilDelivered(within: Self.limit)
        return PartitionResult(
            plan: self, messages: tour.book.messages, apart: apart, missing: tour.book.missing,
            convergence: tour.book.lastArrival.map { max($0 - healed, .zero) } ?? .zero)
    }
}

/// The result of a `PartitionPlan`.
package struct PartitionResult: Hashable, Sendable {
    package let plan: PartitionPlan
    /// How many messages both sides wrote during the cut.
    package let messages: Int
    /// Pairs of a message and a member that the cut separated.
    package let apart: Int
    /// Pairs of a message and a member that it never reached.
    package let missing: Int
    /// From the end of the cut, when both sides dial within 50 ms, until the last of these messages had arrived.
    package let convergence: Duration
}
