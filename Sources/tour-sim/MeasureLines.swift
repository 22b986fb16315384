import TourSimulator

/// The words about a measurement outside the table.
enum MeasureLines {
    /// - Parameter lossMax: queues of broadcasts are reported only for this loss, where most waits.
    static func text(of result: MeasureResult, lossMax: Int) -> String? {
        switch result {
        case .broadcast(let result):
            let isTold = result.plan.conditions.lossPerMille == lossMax * 10 || result.latencies.missing > 0
            return account(result) + (isTold ? "\n" + queues(result) : "")
        case .hour(let result): return hour(result)
        case .partition(let result): return partition(result)
        case .bridges(let result): return bridges(result)
        case .urgent(let result): return urgent(result)
        case .heap(let result): return heap(result)
        }
    }

    /// The distribution of bytes: of multicast datagrams by their purpose, of links by their contents.
    private static func account(_ result: BroadcastResult) -> String {
        let conditions = result.plan.conditions
        return """
            \(result.plan.members) members, \(conditions.lossPerMille / 10) % loss\(air(conditions)): \
            \(account(result.busy)) while messages went out; idle, in \
            \(Figure.plain(result.idleLength / Duration.seconds(1))) s: \(account(result.idle))
            """
    }

    private static func account(_ counts: WireCounts) -> String {
        let parts = counts.airBytes.map { ($0.key, $0.value) } + counts.frameBytes.map { ("link " + $0.key, $0.value) }
        let told = parts.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
        let list = told.map { "\($0.0) \(Figure.kilobytes($0.1))" }.joined(separator: ", ")
        return "\(Figure.kilobytes(counts.totalBytes)) (\(list))"
    }

    /// The figures that stand for memory.
    private static func queues(_ result: BroadcastResult) -> String {
        let conditions = result.plan.conditions
        let queues = result.queues
        return """
            \(result.plan.members) members, \(conditions.lossPerMille / 10) % loss\(air(conditions)), at most: \
            \(queues.linkBytesMax) B queued to a link; in one machine \(queues.claims) claims \
            (\(queues.claimBytesMax) B), \(queues.recent) events at hand, \(queues.held) held, \(queues.pulls) pulls, \
            \(queues.pendingRuns) pending runs, \
            \(queues.repairs) answers, \(queues.gaps) questions; events came \(result.airedEvents) by datagram, \
            \(result.pushedEvents) by push, \(result.pulledEvents) by pull\(missing(result.latencies.missing))
            """
    }

    private static func hour(_ result: HourResult) -> String {
        """
        hour of \(result.plan.members), \(result.plan.messages) messages that all read\(air(result.plan.conditions)): \
        claim rows \(Figure.kilobytes(result.rowBytes)) on air, \(Figure.kilobytes(result.rowBytesBeyondIdle)) of \
        them beyond an idle hour's; all traffic \(Figure.kilobytes(result.totalBytes))\(missing(result.missing))
        """
    }

    private static func partition(_ result: PartitionResult) -> String {
        """
        partition of \(result.plan.members) for 60 s\(air(result.plan.conditions)): \(result.messages) messages, \
        \(result.apart) pairs apart, together \(Figure.shortMilliseconds(result.convergence)) ms after both sides \
        could dial again\(missing(result.missing))
        """
    }

    private static func bridges(_ result: BridgesResult) -> String {
        """
        two bridges in \(result.plan.members), one dies unannounced\(air(result.plan.conditions)): the next message \
        was everywhere after \(Figure.shortMilliseconds(result.first)) ms; the next 100: p50 \
        \(Figure.shortMilliseconds(result.latencies.p50)), p99 \(Figure.shortMilliseconds(result.latencies.p99)), \
        at most \(Figure.shortMilliseconds(result.latencies.max)) ms\(missing(result.missing))
        """
    }

    private static func urgent(_ result: UrgentResult) -> String {
        let catchUp = result.catchUp.map { "\(Figure.shortMilliseconds($0)) ms" } ?? "NEVER"
        return """
            announcements while one of \(result.plan.members) pulls \(result.plan.missed) events\
            \(air(result.plan.conditions)): p50 \(Figure.shortMilliseconds(result.latencies.p50)), p99 \
            \(Figure.shortMilliseconds(result.latencies.p99)) ms; at the one who pulls p50 \
            \(Figure.shortMilliseconds(result.atTheOneAway.p50)), p99 \
            \(Figure.shortMilliseconds(result.atTheOneAway.p99)) ms; caught up after \(catchUp), \
            \(Figure.kilobytes(result.bytes)) on the wire; longest queue to a link \
            \(Figure.kilobytes(result.queues.linkBytesMax))\(missing(result.latencies.missing))
            """
    }

    private static func heap(_ result: HeapResult) -> String {
        """
        \(result.plan.messages) messages at once to \(result.plan.members - 1)\(air(result.plan.conditions)): all with \
        everybody after \(Figure.shortMilliseconds(result.took)) ms; \(Figure.short(result.ratio)) x the events' \
        bytes; they came \(result.airedEvents) by datagram, \(result.pushedEvents) by push, \(result.pulledEvents) \
        by pull; longest queue to a link \
        \(Figure.kilobytes(result.queues.linkBytesMax))\(missing(result.latencies.missing))
        """
    }

    private static func air(_ conditions: MeasureConditions) -> String {
        conditions.usesMulticast ? "" : ", without multicast"
    }

    private static func missing(_ count: Int) -> String { count == 0 ? "" : "; \(count) NOT DELIVERED" }
}
