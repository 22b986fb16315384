import TourModel

/// A member comes back and pulls what it missed, while the guide, its neighbour, writes urgent announcements.
package struct UrgentPlan: MeasurePlan {
    private static let interval: Duration = .milliseconds(20)
    private static let batch = 100
    private static let batchInterval: Duration = .milliseconds(200)
    private static let limit: Duration = .seconds(120)
    private static let guide = 0

    package let members: Int
    /// How many events the member missed.
    package let missed: Int
    package let seed: UInt64
    package let conditions: MeasureConditions

    package init(members: Int, missed: Int = 10_000, seed: UInt64, conditions: MeasureConditions) {
        self.members = members
        self.missed = missed
        self.seed = seed
        self.conditions = conditions
    }

    package func play() -> UrgentResult {
        let tour = MeasuredTour(.oneSegment(members, seed: seed), conditions, seed: seed)
        let away = tour.simulation.topology.neighbours(of: Self.guide).last ?? 1
        let before = tour.simulation.nodes[away].store.eventCount
        tour.simulation.crash(away)
        let written = write(on: tour, but: away)
        let caughtUp = before + written
        let isWritten = tour.run(atMost: Self.limit) {
            tour.simulation.nodes.allSatisfy { $0.number == away || $0.store.eventCount >= caughtUp }
        }
        guard isWritten != nil else { return result(tour, away, catchUp: nil, bytes: 0) }
        let bytes = tour.counts.totalBytes
        tour.simulation.restart(away)
        let linked = tour.run(atMost: Self.limit) { !tour.simulation.nodes[away].links.isEmpty }
        guard linked != nil else { return result(tour, away, catchUp: nil, bytes: 0) }
        let began = tour.now
        // The announcements that the member has count too.
        var said = 0
        while tour.simulation.nodes[away].store.eventCount < caughtUp, tour.now - began < Self.limit {
            tour.announce(from: Self.guide)
            said += 1
            tour.run(for: Self.interval)
        }
        let catchUp = tour.now - began
        let pulled = tour.counts.totalBytes - bytes
        tour.runUntilDelivered(within: Self.limit)
        let rest = tour.run(atMost: Self.limit) { tour.simulation.nodes[away].store.eventCount >= caughtUp + said }
        return result(tour, away, catchUp: rest == nil ? nil : catchUp, bytes: pulled)
    }

    /// All other members write as many events as are to be missed.
    private func write(on tour: MeasuredTour, but away: Int) -> Int {
        let writers = (0..<members).filter { $0 != away }
        let batches = (missed + Self.batch - 1) / Self.batch
        for batch in 0..<batches {
            // In batches, so that no link gets more than it can carry.
            tour.after(Self.batchInterval * batch) { [unowned tour] in
                tour.simulation.write(
                    count: Self.batch, node: writers[batch % writers.count], text: tour.text)
            }
        }
        tour.run(for: Self.batchInterval * batches)
        return batches * Self.batch
    }

    private func result(_ tour: MeasuredTour, _ away: Int, catchUp: Duration?, bytes: Int) -> UrgentResult {
        UrgentResult(
            plan: self, catchUp: catchUp, bytes: bytes, latencies: tour.book.latencies(),
            atTheOneAway: tour.book.latencies(of: { $0 == away }), queues: tour.queues)
    }
}

/// The result of an `UrgentPlan`.
package struct UrgentResult: Hashable, Sendable {
    package let plan: UrgentPlan
    /// From the first link until everything missed was stored; nil when that never happened.
    package let catchUp: Duration?
    /// On the wire in that time, announcements included.
    package let bytes: Int
    /// Of the announcements, at all members.
    package let latencies: LatencyFigures
    /// Of the announcements, at the member that came back.
    package let atTheOneAway: LatencyFigures
    /// The longest queues.
    package let queues: QueueFigures
}
