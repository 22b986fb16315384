/// Limits how many actions happen at once and over time: the bucket fills with time, and each action takes one token.
package struct TokenBucket: Hashable, Sendable {
    /// The limits of a bucket.
    package struct Rate: Hashable, Sendable {
        /// The tokens of a full bucket.
        package let atOnce: Int64
        /// The tokens added in a minute.
        package let perMinute: Int64

        package init(atOnce: Int64, perMinute: Int64) {
            self.atOnce = atOnce
            self.perMinute = perMinute
        }

        /// The time in which an emptied bucket fills up, in microseconds.
        package var refillMicroseconds: Int64 { atOnce * 60_000_000 / perMinute }

        /// The time in which an emptied bucket has a token again, in whole seconds, at least 1.
        package var pauseSeconds: Int { max(1, Int((60 + perMinute - 1) / perMinute)) }
    }

    private let rate: Rate
    /// The tokens left, in millionths.
    private var level: Int64
    /// When it was last filled.
    package private(set) var at: Instant

    package init(full rate: Rate, at now: Instant) {
        self.rate = rate
        level = rate.atOnce * 1_000_000
        at = now
    }

    /// - Returns: whether a token is left; does not take it.
    package mutating func hasOne(now: Instant) -> Bool {
        // The machine may have slept for a year, or its clock may have stopped.
        let passed = min(max((now - at).microseconds, 0), rate.refillMicroseconds)
        level = min(rate.atOnce * 1_000_000, level + passed * rate.perMinute / 60)
        at = now
        return level >= 1_000_000
    }

    /// Takes a token; check `hasOne` first.
    package mutating func acquire() { level -= 1_000_000 }
}
