import TourSimulator

/// The conditions of the measurements, as `--json` prints them first.
struct ConditionsRecord: Encodable {
    let commit: String
    let seed: UInt64
    let messages: Int
    let messagesPerSecond: Int
    let textBytes: Int
    let latencyMs: Double
    let jitterMs: Double
    let retransmissionMs: Double
    let bytesPerSecond: Int64
    let eventWorkMs: Double
    let furtherEventWorkMs: Double
    let claimWorkMs: Double
    let authorDiskMs: Double

    init(_ conditions: MeasureConditions, seed: UInt64, messages: Int, rate: Int, commit: String) {
        self.commit = commit
        self.seed = seed
        self.messages = messages
        messagesPerSecond = rate
        textBytes = conditions.textBytes
        latencyMs = Figure.milliseconds(conditions.latency)
        jitterMs = Figure.milliseconds(conditions.jitter)
        retransmissionMs = Figure.milliseconds(conditions.retransmission)
        bytesPerSecond = conditions.bytesPerSecond
        eventWorkMs = Figure.milliseconds(conditions.eventWork)
        furtherEventWorkMs = Figure.milliseconds(conditions.furtherEventWork)
        claimWorkMs = Figure.milliseconds(conditions.claimWork)
        authorDiskMs = Figure.milliseconds(conditions.authorDisk)
    }
}

/// One measurement, as `--json` prints it.
struct MeasureRecord: Encodable {
    let part: String
    let members: Int
    let multicast: Bool
    let lossPercent: Int
    let isDelivered: Bool
    let figures: [String: Double]

    init(_ result: MeasureResult) {
        members = result.plan.members
        multicast = result.plan.conditions.usesMulticast
        lossPercent = result.plan.conditions.lossPerMille / 10
        isDelivered = result.isDelivered
        switch result {
        case .broadcast(let result): (part, figures) = ("table", Self.figures(of: result))
        case .hour(let result): (part, figures) = ("hour", Self.figures(of: result))
        case .partition(let result): (part, figures) = ("partition", Self.figures(of: result))
        case .bridges(let result): (part, figures) = ("bridges", Self.figures(of: result))
        case .urgent(let result): (part, figures) = ("urgent", Self.figures(of: result))
        case .heap(let result): (part, figures) = ("heap", Self.figures(of: result))
        }
    }

    private static func figures(of result: BroadcastResult) -> [String: Double] {
        var figures = latencies(result.latencies)
        figures["eventBytes"] = Double(result.eventBytes) / Double(max(1, result.plan.messages))
        figures["seconds"] = result.length / Duration.seconds(1)
        figures["bytes"] = Double(result.busy.totalBytes)
        figures["datagramBytes"] = Double(result.busy.datagramBytes)
        figures["linkBytes"] = Double(result.busy.linkBytes)
        figures["rowBytes"] = Double(result.busy.rowBytes)
        figures["resentSegments"] = Double(result.busy.retransmissions)
        figures["ratio"] = result.ratio
        figures["ratioBeyondIdle"] = result.ratioBeyondIdle
        figures["ratioOfBroadcast"] = result.ratioOfBroadcast
        figures["idleBytesPerSecond"] = result.idleBytesPerSecond
        for (kind, bytes) in result.busy.frameBytes { figures["linkFrameBytes.\(kind)"] = Double(bytes) }
        for (kind, bytes) in result.busy.airBytes { figures["airBytes.\(kind)"] = Double(bytes) }
        for (kind, bytes) in result.idle.frameBytes { figures["idleLinkFrameBytes.\(kind)"] = Double(bytes) }
        for (kind, bytes) in result.idle.airBytes { figures["idleAirBytes.\(kind)"] = Double(bytes) }
        figures["idleRowBytes"] = Double(result.idle.rowBytes)
        figures["idleDatagramBytes"] = Double(result.idle.datagramBytes)
        figures["idleLinkBytes"] = Double(result.idle.linkBytes)
        figures["eventsByDatagram"] = Double(result.airedEvents)
        figures["eventsByPush"] = Double(result.pushedEvents)
        figures["eventsByPull"] = Double(result.pulledEvents)
        figures["linkQueueBytesMax"] = Double(result.queues.linkBytesMax)
        figures["claimBytesMax"] = Double(result.queues.claimBytesMax)
        figures["heldMax"] = Double(result.queues.held)
        figures["recentMax"] = Double(result.queues.recent)
        return figures
    }

    private static func figures(of result: HourResult) -> [String: Double] {
        [
            "messages": Double(result.plan.messages), "rowBytes": Double(result.rowBytes),
            "idleRowBytes": Double(result.idleRowBytes), "rowBytesBeyondIdle": Double(result.rowBytesBeyondIdle),
            "bytes": Double(result.totalBytes), "missing": Double(result.missing),
        ]
    }

    private static func figures(of result: PartitionResult) -> [String: Double] {
        [
            "messages": Double(result.messages), "pairsApart": Double(result.apart),
            "convergenceMs": Figure.milliseconds(result.convergence), "missing": Double(result.missing),
        ]
    }

    private static func figures(of result: BridgesResult) -> [String: Double] {
        var figures = latencies(result.latencies)
        figures["firstMs"] = Figure.milliseconds(result.first)
        figures["missing"] = Double(result.missing)
        return figures
    }

    private static func figures(of result: UrgentResult) -> [String: Double] {
        var figures = latencies(result.latencies)
        figures["missedEvents"] = Double(result.plan.missed)
        figures["catchUpMs"] = result.catchUp.map { Figure.milliseconds($0) }
        figures["bytes"] = Double(result.bytes)
        figures["pullerP50Ms"] = Figure.milliseconds(result.atTheOneAway.p50)
        figures["pullerP99Ms"] = Figure.milliseconds(result.atTheOneAway.p99)
        figures["linkQueueBytesMax"] = Double(result.queues.linkBytesMax)
        return figures
    }

    private static func figures(of result: HeapResult) -> [String: Double] {
        var figures = latencies(result.latencies)
        figures["messages"] = Double(result.plan.messages)
        figures["tookMs"] = Figure.milliseconds(result.took)
        figures["bytes"] = Double(result.wire.totalBytes)
        figures["ratio"] = result.ratio
        figures["eventsByDatagram"] = Double(result.airedEvents)
        figures["eventsByPush"] = Double(result.pushedEvents)
        figures["eventsByPull"] = Double(result.pulledEvents)
        figures["linkQueueBytesMax"] = Double(result.queues.linkBytesMax)
        return figures
    }

    private static func latencies(_ latencies: LatencyFigures) -> [String: Double] {
        [
            "pairs": Double(latencies.pairs), "missing": Double(latencies.missing),
            "p50Ms": Figure.milliseconds(latencies.p50), "p99Ms": Figure.milliseconds(latencies.p99),
            "maxMs": Figure.milliseconds(latencies.max),
        ]
    }
}
