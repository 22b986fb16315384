import TourModel

/// Decides when a tour is next synced. Pure: the caller passes time and randomness. Source: `Protocol/09-mailbox.md`,
/// "Who syncs".
package struct SyncPlan: Sendable {
    /// Why to sync.
    package enum Reason: Sendable {
        /// This node wrote something.
        case written
        /// This node received an event of others, in a tour with this many members.
        case received(members: Int)
        /// The server has new events, or may have.
        case told(members: Int)
        /// The machine got an address or a route.
        case network(members: Int)
        /// The user asks.
        case asked
    }

    /// When the next sync is due; nil before the first.
    package private(set) var due: Instant?
    /// Only the user's request syncs before this: the server asked for the pause.
    private var pausedUntil: Instant?

    // Source: `Protocol/09-mailbox.md`, "Who syncs".
    private static let interval: Duration = .seconds(300)
    private static let otherDelay: Duration = .seconds(5)
    private static let otherChance: Duration = .milliseconds(500)
    private static let otherChanceMax: Duration = .seconds(55)
    private static let toldChance: Duration = .seconds(1)
    private static let toldChancePerMember: Duration = .milliseconds(100)
    private static let toldChanceMax: Duration = .seconds(10)
    private static let networkChance: Duration = .seconds(5)
    private static let networkChancePerMember: Duration = .milliseconds(100)
    /// A network that comes up brings several addresses and routes, and its name server a moment later.
    private static let networkDelay: Duration = .seconds(1)

    package init() {}

    /// Records a reason, and plans a sync for it.
    package mutating func schedule(for reason: Reason, now: Instant, using rng: inout some RandomNumberGenerator) {
        let delay: Duration
        switch reason {
        case .asked: return plan(at: now)
        case .written: delay = Self.chance(from: .seconds(1), to: .seconds(3), &rng)
        case .received(let members):
            let chance = min(Self.otherChance * members, Self.otherChanceMax)
            delay = Self.chance(from: Self.otherDelay, to: Self.otherDelay + chance, &rng)
        case .told(let members):
            let chance = min(Self.toldChance + Self.toldChancePerMember * members, Self.toldChanceMax)
            delay = Self.chance(from: .zero, to: chance, &rng)
        case .network(let members):
            let chance = Self.networkChance + Self.networkChancePerMember * members
            delay = Self.networkDelay + Self.chance(from: .zero, to: chance, &rng)
            pausedUntil = nil
        }
        plan(at: max(now + delay, pausedUntil ?? now))
    }

    /// A sync began: reasons from here on call for another one.
    package mutating func began() { due = nil }

    /// - Parameter pause: the server's request, if any.
    package mutating func ended(pause: Duration?, now: Instant, using rng: inout some RandomNumberGenerator) {
        let fifth = Self.interval.microseconds / 5
        let next = Self.interval + .microseconds(Int64.random(in: -fifth...fifth, using: &rng))
        pausedUntil = pause.map { now + $0 }
        if let due, let pausedUntil { self.due = max(due, pausedUntil) }
        plan(at: now + max(next, pause ?? .zero))
    }

    /// The earlier of two plans stands.
    private mutating func plan(at time: Instant) { due = min(due ?? time, time) }

    private static func chance(
        from first: Duration, to last: Duration, _ rng: inout some RandomNumberGenerator
    ) -> Duration {
        .microseconds(Int64.random(in: first.microseconds...last.microseconds, using: &rng))
    }
}
