import TourModel

/// Whose signs of life come, and whose stopped coming.
struct Presence: Sendable {
    private var heardAt: [MemberID: Instant] = [:]
    /// When the next one will be missing.
    private(set) var due: Instant?

    /// Of those whose signs of life come the first by id.
    var first: MemberID? { heardAt.keys.min() }

    mutating func heard(_ member: MemberID, _ now: Instant) {
        heardAt[member] = now
        due = due ?? now + Limits.silenceTime
    }

    /// Whether somebody who was heard is silent for too long. Each is missed once until heard again, and looked for
    /// once in a while only, however many they are.
    /// - Parameter isNear: whose datagrams came where datagrams come: they need no tree, and some may be lost.
    mutating func missesAnybody(_ now: Instant, except isNear: (MemberID) -> Bool) -> Bool {
        let silent = heardAt.filter { now - $0.value >= Limits.silenceTime }
        for member in silent.keys { heardAt[member] = nil }
        due = heardAt.values.min().map { max($0 + Limits.silenceTime, now + Limits.silencePause) }
        return silent.keys.contains { !isNear($0) }
    }
}
