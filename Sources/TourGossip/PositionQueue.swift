import TourModel

/// Position rows that go out on one link, and the budget for checking those that come in.
struct PositionQueue: Hashable, Sendable {
    /// Members whose position goes out here, each with its time.
    private var times: [MemberID: Instant] = [:]
    /// The earliest of these times.
    private(set) var due: Instant?
    private var budget = PositionBudget()

    var count: Int { times.count }

    mutating func add(_ member: MemberID, at time: Instant) {
        times[member] = min(times[member] ?? time, time)
        due = min(due ?? time, time)
    }

    mutating func remove(_ member: MemberID) { times[member] = nil }

    mutating func postpone(to time: Instant) { due = time }

    /// Removes the members whose rows go out now.
    mutating func dequeue(_ now: Instant) -> [MemberID] {
        let members = times.filter { $0.value <= now }.keys.sorted().prefix(Limits.positionsPerMessageMax)
        for member in members { times[member] = nil }
        due = times.values.min().map { max($0, now + PositionState.delay) }
        return Array(members)
    }

    /// Whether one more row of the peer may be checked.
    mutating func acquireCheck(_ now: Instant, members: Int) -> Bool { budget.acquire(now, members: members) }
}
