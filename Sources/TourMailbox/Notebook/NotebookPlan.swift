import TourModel

/// Decides when the notebook is next synced. Pure: the caller passes time and randomness. Source:
/// `Protocol/12-notebook.md`, "On a device".
package struct NotebookPlan: Sendable {
    /// Why to sync.
    package enum Reason: Sendable {
        /// The user changed something here.
        case edited
        /// A network appeared, or the server answered for a tour.
        case network
        /// The user asks.
        case asked
    }

    /// When the next sync is due; nil before the first.
    package private(set) var due: Instant?
    /// When the first edit that is still unsent was made.
    private var editedAt: Instant?
    /// Only the user's request syncs before this.
    private var pausedUntil: Instant?
    private var failures = 0

    // Source: `Protocol/12-notebook.md`, "On a device".
    private static let interval: Duration = .seconds(900)
    private static let editDelay: Duration = .seconds(2)
    private static let editDelayMax: Duration = .seconds(10)
    private static let networkDelay: Duration = .seconds(2)
    private static let pauseFirst: Duration = .seconds(15)

    package init() {}

    /// Records a reason, and plans a sync for it.
    package mutating func schedule(for reason: Reason, now: Instant) {
        switch reason {
        case .asked:
            pausedUntil = nil
            due = now
        case .network:
            pausedUntil = nil
            plan(at: now + Self.networkDelay)
        case .edited:
            // Waits a while for a user who goes on writing.
            let first = editedAt ?? now
            editedAt = first
            let time = min(now + Self.editDelay, first + Self.editDelayMax)
            due = max(time, pausedUntil ?? time)
        }
    }

    /// A sync began: reasons from here on call for another one.
    package mutating func began() {
        due = nil
        editedAt = nil
    }

    /// - Parameter isWell: whether the sync completed.
    /// - Parameter pause: the server's request, if any.
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

    /// The earlier of two plans stands.
    private mutating func plan(at time: Instant) { due = min(due ?? time, time) }
}
