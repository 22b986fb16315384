import TourModel

/// Members on one network say something at a steady rate; before that the tour finds its shape, and then nobody says
/// anything for a minute.
package struct BroadcastPlan: MeasurePlan {
    /// What follows upon the last message belongs to it: claims and beacons.
    private static let aftermath: Duration = .seconds(10)
    private static let deliveryLimit: Duration = .seconds(60)
    /// Links are chosen and pruned, everybody has been heard: the more members, the longer.
    private static let settling: Duration = .seconds(20)
    private static let settlingPerMember: Duration = .milliseconds(400)
    private static let idleLength: Duration = .seconds(60)

    package let members: Int
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

package struct BroadcastResult: Hashable, Sendable {
    package let plan: BroadcastPlan
    package let latencies: LatencyFigures
    /// Of all messages together: sealed and signed.
    package let eventBytes: Int
    /// How long bytes were counted, with messages and without.
    package let length: Duration
    package let idleLength: Duration
    package let busy: WireCounts
    package let idle: WireCounts
    /// Events as they came to members, duplicates included: by datagram, by push, by pull.
    package let airedEvents: Int
    package let pushedEvents: Int
    package let pulledEvents: Int
    package let queues: QueueFigures

    /// Bytes on the wire for each byte that a star without any overhead would send.
    package var ratio: Double { share(of: Double(busy.totalBytes)) }

    /// The same without what is sent when nobody says anything.
    package var ratioBeyondIdle: Double {
        share(of: Double(busy.totalBytes) - Double(idle.totalBytes) * (length / idleLength))
    }

    /// Nor what members claim to have and to have read: the broadcast alone, with what repairs it.
    package var ratioOfBroadcast: Double {
        let idleRest = Double(idle.totalBytes - idle.rowBytes) * (length / idleLength)
        return share(of: Double(busy.totalBytes - busy.rowBytes) - idleRest)
    }

    package var idleBytesPerSecond: Double { Double(idle.totalBytes) / (idleLength / Duration.seconds(1)) }

    private func share(of bytes: Double) -> Double {
        bytes / Double(max(1, (plan.members - 1) * eventBytes))
    }
}
