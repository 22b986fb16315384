import TourModel

/// Two networks with two members in both; one of the two dies without a bye, as with an empty battery.
package struct BridgesPlan: MeasurePlan {
    private static let interval: Duration = .milliseconds(100)
    private static let messages = 100
    private static let settling: Duration = .seconds(5)
    private static let limit: Duration = .seconds(60)

    package let members: Int
    package let seed: UInt64
    package let conditions: MeasureConditions

    package init(members: Int, seed: UInt64, conditions: MeasureConditions) {
        self.members = members
        self.seed = seed
        self.conditions = conditions
    }

    /// Both die in turn, so that the one that carried the traffic is among them.
    package func play() -> BridgesResult {
        let deaths = [0, 1].map { play(dying: $0) }
        return BridgesResult(
            plan: self, first: deaths.map { $0.first }.max() ?? .zero,
            latencies: deaths.map { $0.latencies }.max(by: { $0.max < $1.max }) ?? LatencyFigures([], missing: 0),
            missing: deaths.reduce(0) { $0 + $1.latencies.missing })
    }

    private func play(dying place: Int) -> (first: Duration, latencies: LatencyFigures) {
        let network = MeasuredNetwork.twoBridges(members, seed: seed)
        let tour = MeasuredTour(network, conditions, seed: seed)
        let bridges = network.bridges
        let writers = network.segments[0].filter { !bridges.contains($0) }
        // Some traffic first, so that the paths are as in use.
        tour.plan(Int(Self.settling.components.seconds), every: .seconds(1), from: writers)
        tour.run(for: Self.settling * 2)
        let spoken = tour.book.messages
        tour.silence(bridges[place])
        tour.sendText(from: writers[0], after: .zero)
        tour.plan(Self.messages, every: Self.interval, from: writers)
        tour.run(for: Self.interval * Self.messages + Self.settling)
        tour.runUntilDelivered(within: Self.limit)
        return (tour.book.completion(of: spoken) ?? Self.limit, tour.book.latencies(from: spoken))
    }
}

/// The result of a `BridgesPlan`.
package struct BridgesResult: Hashable, Sendable {
    package let plan: BridgesPlan
    /// From the death until the message written at that moment had reached everybody.
    package let first: Duration
    /// Of the messages in the ten seconds after it.
    package let latencies: LatencyFigures
    /// Pairs of a message and a member that it never reached.
    package let missing: Int
}
