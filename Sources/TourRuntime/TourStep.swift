import TourModel

/// The readings of a node's two clocks at one moment.
package struct ClockReading: Hashable, Sendable {
    /// By the clock that never steps and counts while the machine sleeps.
    package let now: Instant
    /// Microseconds since 1970, by the machine's clock, which may be wrong and may be set.
    package let wallMicroseconds: Int64

    package init(now: Instant, wallMicroseconds: Int64) {
        self.now = now
        self.wallMicroseconds = wallMicroseconds
    }

    /// Milliseconds since 1970, by the machine's clock.
    package var wallMilliseconds: Int64 { wallMicroseconds / 1_000 }
}

extension Instant {
    /// The earlier of two times that may not be set.
    static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}

/// One step of a tour's machine: when it happens, the generator that it may use, and its effects, which the shell
/// carries out in this order once the step is over.
package struct TourStep {
    /// When the step happens.
    package let time: ClockReading
    /// For random times and orders; never for keys.
    package var rng: SplitMix64
    /// What the shell is to do.
    package private(set) var effects: [TourEffect] = []

    package init(at time: ClockReading, rng: SplitMix64) {
        self.time = time
        self.rng = rng
    }

    var now: Instant { time.now }

    mutating func emit(_ effect: TourEffect) { effects.append(effect) }
}
