import TourModel

/// The guide writes more at once than datagrams carry.
package struct HeapPlan: MeasurePlan {
    /// Messages in one part, as fast as a guide's node accepts them.
    private static let part = 100
    private static let partInterval: Duration = .milliseconds(15)
    private static let limit: Duration = .seconds(120)
    /// For the claims that follow.
    private static let aftermath: Duration = .seconds(5)
    private static let guide = 0

    package let members: Int
    /// How many messages the guide writes.
    package let messages: Int
    package let seed: UInt64
    package let conditions: MeasureConditions

    package init(members: Int, messages: Int = 2_000, seed: UInt64, conditions: MeasureConditions) {
        self.members = members
        self.messages = messages
        self.seed = seed
        self.conditions = conditions
    }

    package func play() -> HeapResult {
        let tour = MeasuredTour(.oneSegment(members, seed: seed), conditions, seed: seed)
        let (bytes, before) = (tour.counts, tour.simulation.counts)
        let began = tour.now
        let parts = (messages + Self.part - 1) / Self.part
        for part in 0..<parts {
            tour.after(Self.partInterval * part) { [unowned tour] in
                tour.sendHeap(min(Self.part, messages - part * Self.part), from: Self.guide)
            }
        }
        tour.run(for: Self.partInterval * parts)
        tour.runUntilDelivered(within: Self.limit)
        let took = tour.book.lastArrival.map { $0 - began }
        tour.run(for: Self.aftermath)
        let after = tour.simulation.counts
        return HeapResult(
            plan: self, took: took ?? .zero, latencies: tour.book.latencies(), eventBytes: tour.book.eventBytes,
            wire: tour.counts - bytes, airedEvents: after.airedEvents - before.airedEvents,
            pushedEvents: after.pushedEvents - before.pushedEvents,
            pulledEvents: after.pulledEvents - before.pulledEvents, queues: tour.queues)
    }
}

/// The result of a `HeapPlan`.
package struct HeapResult: Hashable, Sendable {
    package let plan: HeapPlan
    /// From the first message until everybody had all.
    package let took: Duration
    /// Over all messages.
    package let latencies: LatencyFigures
    /// Of all messages together: sealed and signed.
    package let eventBytes: Int
    /// Bytes on the wire.
    package let wire: WireCounts
    /// Events as members received them, duplicates included: by datagram, by push, by pull.
    package let airedEvents: Int
    /// Events that members received by push, duplicates included.
    package let pushedEvents: Int
    /// Events that members received by pull, duplicates included.
    package let pulledEvents: Int
    /// The longest queues.
    package let queues: QueueFigures

    /// Bytes on the wire for each byte that a star without any overhead would send.
    package var ratio: Double { Double(wire.totalBytes) / Double(max(1, (plan.members - 1) * eventBytes)) }
}
