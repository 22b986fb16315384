import TourGossip
import TourModel
import TourWire

/// Which rows that arrived by datagram are verified at once, and which wait for each other.
struct RowChecks: Sendable {
    /// Rows that arrived together from one origin.
    typealias Batch = (origin: Origin, claims: [HeardClaim])

    /// Rows that arrived by datagram and are verified in a moment.
    private var gathered = GatheredClaims()
    /// When they are.
    private(set) var dueAt: Instant?

    /// Rows arrived by datagram.
    /// - Parameters:
    ///   - urgent: those of them that are verified at once.
    ///   - hasRoom: a datagram's rows are sent again: without room they are dropped.
    /// - Returns: what to verify now.
    mutating func receive(
        _ heard: [HeardClaim], urgent: [HeardClaim], from origin: Origin, hasRoom: Bool, _ step: inout TourStep
    ) -> [Batch] {
        guard hasRoom else { return [] }
        let others = heard.filter { !urgent.contains($0) }
        let isFirst = gathered.add(others, origin)
        if gathered.isFull { return [(origin, urgent)] + drain() }
        if isFirst {
            let delays = GatheredClaims.delayMinMicroseconds...GatheredClaims.delayMaxMicroseconds
            dueAt = step.now + .microseconds(Int64.random(in: delays, using: &step.rng))
        }
        return [(origin, urgent)]
    }

    /// - Returns: what has waited long enough.
    mutating func consumeDue(now: Instant) -> [Batch] {
        guard let dueAt, dueAt <= now else { return [] }
        return drain()
    }

    private mutating func drain() -> [Batch] {
        dueAt = nil
        return gathered.drain()
    }

    /// The sound ones of a position check that hold now.
    /// - Parameter time: a row dated ahead would suppress newer ones, as an event dated ahead would drag our clock
    ///   along.
    static func current(_ sound: [HeardPosition], at time: ClockReading) -> [VerifiedPosition] {
        let wall = time.wallMilliseconds
        return sound.filter {
            $0.claim.signedAt <= wall + Limits.clockLeadMillisecondsMax && $0.claim.until > wall
        }
        .map { $0.verified(lapsesAt: time.now + .milliseconds($0.claim.until - wall)) }
    }
}
