import TourModel

/// When statuses are worked out again. They follow claims a moment later, all together: one pass for many claims, and a
/// pause between two passes.
struct StatusSchedule: Sendable {
    /// When the pass after a claim is due, and the one after another change; nil while there is none. Further claims do
    /// not bring the pass forward: it would follow each pause at once.
    private var claimsDueAt: Instant?
    private var changesDueAt: Instant?
    private var pausedUntil = Instant(microseconds: 0)

    private static let delayMin: Duration = .milliseconds(50)
    private static let jitterMicroseconds: Int64 = 450_000
    private static let pause: Duration = .milliseconds(500)
    /// Where nobody waits for it.
    private static let delayMax: Duration = .seconds(1)

    /// When the next pass is due; nil while nothing has changed.
    var dueAt: Instant? { Instant.earlier(claimsDueAt, changesDueAt) }

    /// Something changed that others' claims will show as well.
    mutating func recordChange(now: Instant) {
        if changesDueAt == nil { changesDueAt = max(now + Self.delayMax, pausedUntil) }
    }

    /// A claim arrived, or somebody read.
    /// - Parameter isAuthorWaiting: the author of a message watches its status; statuses of others' messages need not
    ///   rise everywhere at the same moment.
    mutating func recordClaim(isAuthorWaiting: Bool, _ step: inout TourStep) {
        guard claimsDueAt == nil else { return }
        let chance = isAuthorWaiting ? 0 : Int64.random(in: 0...Self.jitterMicroseconds, using: &step.rng)
        claimsDueAt = max(step.now + Self.delayMin + .microseconds(chance), pausedUntil)
    }

    /// - Returns: whether a pass is due.
    mutating func consume(now: Instant) -> Bool {
        guard let dueAt, dueAt <= now else { return false }
        (claimsDueAt, changesDueAt) = (nil, nil)
        pausedUntil = now + Self.pause
        return true
    }
}
