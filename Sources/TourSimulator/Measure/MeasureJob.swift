/// Common to all measurements: how many members, under what conditions, and the seed of all randomness.
package protocol MeasurePlan: Hashable, Sendable {
    var members: Int { get }
    var seed: UInt64 { get }
    var conditions: MeasureConditions { get }
}

/// One measurement. Jobs share nothing.
package enum MeasureJob: Hashable, Sendable {
    case broadcast(BroadcastPlan)
    case hour(HourPlan)
    case partition(PartitionPlan)
    case bridges(BridgesPlan)
    case urgent(UrgentPlan)
    case heap(HeapPlan)

    /// Plays the job's plan.
    package func play() -> MeasureResult {
        switch self {
        case .broadcast(let plan): .broadcast(plan.play())
        case .hour(let plan): .hour(plan.play())
        case .partition(let plan): .partition(plan.play())
        case .bridges(let plan): .bridges(plan.play())
        case .urgent(let plan): .urgent(plan.play())
        case .heap(let plan): .heap(plan.play())
        }
    }
}

/// The result of a job.
package enum MeasureResult: Hashable, Sendable {
    case broadcast(BroadcastResult)
    case hour(HourResult)
    case partition(PartitionResult)
    case bridges(BridgesResult)
    case urgent(UrgentResult)
    case heap(HeapResult)

    /// The plan that led to it.
    package var plan: any MeasurePlan {
        switch self {
        case .broadcast(let result): result.plan
        case .hour(let result): result.plan
        case .partition(let result): result.plan
        case .bridges(let result): result.plan
        case .urgent(let result): result.plan
        case .heap(let result): result.plan
        }
    }

    /// Whether every message reached everybody.
    package var isDelivered: Bool {
        switch self {
        case .broadcast(let result): result.latencies.missing == 0
        case .hour(let result): result.missing == 0
        case .partition(let result): result.missing == 0
        case .bridges(let result): result.missing == 0
        case .urgent(let result): result.catchUp != nil && result.latencies.missing == 0
        case .heap(let result):
            result.latencies.missing == 0
                && result.latencies.pairs == result.plan.messages * (result.plan.members - 1)
        }
    }
}
