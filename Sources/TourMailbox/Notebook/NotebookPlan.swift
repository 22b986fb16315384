import TourModel

/// When the notebook is synced next. Pure: times come in, and chance. Source: `Protocol/12-notebook.md`, "On a device".
package struct NotebookPlan: Sendable {
    package enum Reason: Sendable {
        /// Something was written here.
        case edited
        /// A network came, or the server answered for a tour.
        case network
        /// Somebody asks.
        case asked
    }

    /// When the next one is due; nil before the first.
    package private(set) var due: Instant?
    /// When the first edit that was not sent yet was made.
    private var editedAt: Instant?
    /// Nothing by itself before this.
    private var pausedUntil: Instant?
    private var failures = 0

    // Source: `Protocol/12-notebook.md`, "On a device".
    private static let interval: Duration = .seconds(900)
    private static let editDelay: Duration = .seconds(2)
    private static let editDelayMax: Duration = .seconds(10)
    private static let networkDelay: Duration = .seconds(2)
    private static let pauseFirst: Duration = .seconds(15)

    package init() {}

    package mutating func note(_ reason: Reason, now: Instant) {
        switch reason {
        case .asked:
            pausedUntil = nil
            due = now
        case .network:
            pausedUntil = nil
            plan(at: now + Self.networkDelay)
        case .edited:
            // Who goes on writing is waited for, a while.
            let first = editedAt ?? now
            editedAt = first
            let time = min(now + Self.editDelay, first + Self.editDelayMax)
            due = max(time, pausedUntil ?? time)
        }
    }

    /// One began: what is noted from here on wants another one.
    package mutating func began() {
        due = nil
        editedAt = nil
    }

    /// - Parameter isWell: whether it came to its end.
    /// - Parameter pause: what the server asked for, if it did.
    package mutating func ended(
        isWell: Bool, pause: Duration?, now: Instant, using rng: inout some RandomNumberGenerator
    ) {
        failures = isWell ? 0 : min(failures + 1, 16)
        let fifth = Self.interval.microseconds / 5
        let next = Self.interval + .microseconds(Int64.random(in: -fifth...fifth, using: &rng))
        let own = isWell ? .zero : min(Self.pauseFirst * (1 << (failures - 1)), Self.interval)
        let wait = max(pause ?? .zero, own)
        pausedUntil = wait > .zero ? now + wait : nil
        if let due, let pausedUntil { self.due = max(due, pausedUntil) }
        plan(at: now + (isWell ? max(next, wait) : wait))
    }

    /// The earlier one stands.
    private mutating func plan(at time: Instant) { due = min(due ?? time, time) }
}
