import TourModel

/// When a tour is synced next. Pure: times come in, and chance. Source: `Protocol/09-mailbox.md`, "Who syncs".
package struct SyncPlan: Sendable {
    package enum Reason: Sendable {
        /// This node wrote something.
        case written
        /// It got something from others, in a tour of so many.
        case received(members: Int)
        /// The server has more, or may have.
        case told(members: Int)
        /// An address or a route came.
        case network(members: Int)
        /// Somebody asks.
        case asked
    }

    /// When the next one is due; nil before the first.
    package private(set) var due: Instant?
    /// Nothing by itself before this: the server asked for it.
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

    package mutating func note(_ reason: Reason, now: Instant, using rng: inout some RandomNumberGenerator) {
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

    /// One began: what is noted from here on wants another one.
    package mutating func began() { due = nil }

    /// - Parameter pause: what the server asked for, if it did.
    package mutating func ended(pause: Duration?, now: Instant, using rng: inout some RandomNumberGenerator) {
        let fifth = Self.interval.microseconds / 5
        let next = Self.interval + .microseconds(Int64.random(in: -fifth...fifth, using: &rng))
        pausedUntil = pause.map { now + $0 }
        if let due, let pausedUntil { self.due = max(due, pausedUntil) }
        plan(at: now + max(next, pause ?? .zero))
    }

    /// The earlier one stands.
    private mutating func plan(at time: Instant) { due = min(due ?? time, time) }

    private static func chance(
        from first: Duration, to last: Duration, _ rng: inout some RandomNumberGenerator
    ) -> Duration {
        .microseconds(Int64.random(in: first.microseconds...last.microseconds, using: &rng))
    }
}
