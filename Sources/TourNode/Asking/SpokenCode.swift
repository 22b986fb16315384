import TourCrypto
import TourModel
import TourWire

/// Eight digits that this node's user reads aloud, and what is left of them. Source: `Protocol/14-asking.md`, "By
/// digits".
package struct SpokenCode: Sendable {
    /// How long it is valid.
    package static let lifetime: Duration = .seconds(600)
    /// Failed trials that end it.
    package static let failuresMax = 5
    /// People who may join by it, unless the user says otherwise.
    package static let usesStandard = 10
    /// The most that may.
    package static let usesMax = 50
    /// What is read aloud.
    package let digits: SpokenDigits
    /// How many may still join by it.
    package private(set) var usesLeft: Int
    private let endsAt: Instant
    private var failures = 0
    private var trials = 0

    package init(_ digits: SpokenDigits, uses: Int, now: Instant) {
        self.digits = digits
        usesLeft = uses
        endsAt = now + Self.lifetime
    }

    /// Whole seconds until it ends by itself.
    package func secondsLeft(now: Instant) -> Int { max(0, Int((endsAt - now).microseconds / 1_000_000)) }

    /// Whether it is over by its time.
    package func isOver(now: Instant) -> Bool { now >= endsAt }

    /// Whether somebody tries it now.
    package var isBeingTried: Bool { trials > 0 }

    /// Whether nobody can join by it any more.
    package var isSpent: Bool { usesLeft == 0 || failures >= Self.failuresMax }

    /// Counts a trial, before anything is answered.
    /// - Returns: why there is none; nil when the trial has begun.
    package mutating func beginTrial(now: Instant) -> AskRefusal? {
        if isOver(now: now) { return .noCode }
        if isSpent { return .spent }
        // Several may type at once: they come again in a moment.
        guard failures + trials < Self.failuresMax, trials < usesLeft else { return .busy }
        trials += 1
        return nil
    }

    /// - Parameter isGood: whether the asker proved that it knows the digits.
    package mutating func endTrial(isGood: Bool) {
        trials -= 1
        if isGood { usesLeft -= 1 } else { failures += 1 }
    }
}
