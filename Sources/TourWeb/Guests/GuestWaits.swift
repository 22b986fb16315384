/// Who lets us wait, and until when it may.
package struct GuestWaits<Place: Sendable>: Sendable {
    private var waits: [UInt64: (place: Place, until: ContinuousClock.Instant)] = [:]
    private var last: UInt64 = 0

    package init() {}

    /// - Returns: the wait's number, for `end`.
    package mutating func begin(_ place: Place, until: ContinuousClock.Instant) -> UInt64 {
        last += 1
        waits[last] = (place, until)
        return last
    }

    /// What we waited for has come, or the place is gone.
    package mutating func end(_ wait: UInt64) { waits[wait] = nil }

    /// Removes and returns those who let us wait for too long.
    package mutating func removeOverdue(now: ContinuousClock.Instant) -> [Place] {
        let overdue = waits.filter { $0.value.until <= now }
        for wait in overdue.keys { waits[wait] = nil }
        return overdue.values.map(\.place)
    }

    /// Removes and returns all.
    package mutating func removeAll() -> [Place] {
        defer { waits = [:] }
        return waits.values.map(\.place)
    }
}
