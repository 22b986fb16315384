import TourModel

/// Members on one network write at a steady rate; before that the tour settles, and then nobody writes for a minute.
package struct BroadcastPlan: MeasurePlan {
    /// Claims and beacons that follow the last message are counted too.
    private static let aftermath: Duration = .seconds(10)
    private static let deliveryLimit: Duration = .seconds(60)
    /// Until links are chosen and pruned, and everybody has been heard of: longer with more members.
    private static let settling: Duration = .seconds(20)
    private static let settlingPerMember: Duration = .milliseconds(400)
    private static let idleLength: Duration = .seconds(60)

    package let members: Int
    /// How many messages they write.
    package let messages: Int
    /// Messages a second.
    package let rate: Int
    package let seed: UInt64
    package let conditions: MeasureConditions

    package init(members: Int, messages: Int, rate: Int, seed: UInt64, conditions: MeasureConditions) {
        self.members = members
        self.messages = messages
        self.rate = rate
        self.seed = seed
        self.conditions = conditions
    }

    package func play() -> BroadcastResult {
        let tour = MeasuredTour(.oneSegment(members, seed: seed), conditions, seed: seed)
        tour.run(for: Self.settling + Self.settlingPerMember * members)
        let start = tour.counts
        tour.run(for: Self.idleLength)
        let idle = tour.counts - start
        let (before, paths) = (tour.counts, tour.simulation.counts)
        let begun = tour.now
        tour.plan(messages, every: .seconds(1) / rate, from: Array(0..<members))
        tour.run(for: .seconds(1) * messages / rate + Self.aftermath)
        tour.runUntilDelivered(within: Self.deliveryLimit)
        let after = tour.simulation.counts
        return BroadcastResult(
            plan: self, latencies: tour.book.latencies(), eventBytes: tour.book.eventBytes,
            length: tour.now - begun, idleLength: Self.idleLength, busy: tour.counts - before, idle: idle,
            airedEvents: after.airedEvents - paths.airedEvents,
            pushedEvents: after.pushedEvents - paths.pushedEvents,
            pulledEvents: after.pulledEvents - paths.pulledEvents, queues: tour.queues)
    }
}

/// The result of a `BroadcastPlan`.
package struct BroadcastResult: Hashable, Sendable {
    package let plan: BroadcastPlan
    /// Over all messages.
    package let latencies: LatencyFigures
    /// Of all messages together: sealed and signed.
    package let eventBytes: Int
    /// How long bytes were counted, with messages and without.
    package let length: Duration
    /// How long bytes were counted without messages.
    package let idleLength: Duration
    /// Bytes with messages.
    package let busy: WireCounts
    /// Bytes without messages.
    package let idle: WireCounts
    /// Events as members received them, duplicates included: by datagram, by push, by pull.
    package let airedEvents: Int
    /// Events that members received by push, duplicates included.
    package let pushedEvents: Int
    /// Events that members received by pull, duplicates included.
    package let pulledEvents: Int
    /// The longest queues.
    package let queues: QueueFigures

    /// Bytes on the wire for each byte that a star without any overhead would send.
    package var ratio: Double { share(of: Double(busy.totalBytes)) }

    /// The same without the traffic of a silent tour.
    package var ratioBeyondIdle: Double {
        share(of: Double(busy.totalBytes) - Double(idle.totalBytes) * (length / idleLength))
    }

    /// Also without claims of what members have and have read: the broadcast alone, with its repairs.
    package var ratioOfBroadcast: Double {
        let idleRest = Double(idle.totalBytes - idle.rowBytes) * (length / idleLength)
        return share(of: Double(busy.totalBytes - busy.rowBytes) - idleRest)
    }

    /// Bytes a second of a silent tour.
    package var idleBytesPerSecond: Double { Double(idle.totalBytes) / (idleLength / Duration.seconds(1)) }

    private func share(of bytes: Double) -> Double {
        bytes / Double(max(1, (plan.members - 1) * eventBytes))
    }
}
