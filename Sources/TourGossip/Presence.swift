import TourModel

/// The members whose signs of life arrive, and those whose signs have stopped.
struct Presence: Sendable {
    /// The silence after which a sign of life counts as missing, and the least time between two links added to the tree
    /// for it.
    private static let silenceTime: Duration = .seconds(22)
    static let silencePause: Duration = .seconds(10)

    private var heardAt: [MemberID: Instant] = [:]
    /// When the next sign of life counts as missing.
    private(set) var due: Instant?

    /// The first by id of the members whose signs of life arrive.
    var first: MemberID? { heardAt.keys.min() }

    mutating func recordLife(of member: MemberID, _ now: Instant) {
        heardAt[member] = now
        due = due ?? now + Self.silenceTime
    }

    /// The member sleeps: nobody waits for its signs of life until the next one.
    mutating func rest(_ member: MemberID) { heardAt[member] = nil }

    /// Whether a member that was heard is silent for too long. Each counts once until it is heard again, and the check
    /// runs only once in a while, however many are silent.
    /// - Parameter isNear: members whose datagrams were heard on an active segment: they need no tree, and some
    ///   datagrams may be lost.
    mutating func missesAnybody(_ now: Instant, except isNear: (MemberID) -> Bool) -> Bool {
        let silent = heardAt.filter { now - $0.value >= Self.silenceTime }
        for member in silent.keys { heardAt[member] = nil }
        due = heardAt.values.min().map { max($0 + Self.silenceTime, now + Self.silencePause) }
        return silent.keys.contains { !isNear($0) }
    }
}
