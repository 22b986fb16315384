/// How many of something are done at once and over time: it fills with time, and each takes one.
package struct TokenBucket: Hashable, Sendable {
    /// How many at once, and how many a minute behind these.
    package struct Rate: Hashable, Sendable {
        package let atOnce: Int64
        package let perMinute: Int64

        package init(atOnce: Int64, perMinute: Int64) {
            self.atOnce = atOnce
            self.perMinute = perMinute
        }

        /// After so long without one an emptied bucket is full again, in microseconds.
        package var refillMicroseconds: Int64 { atOnce * 60_000_000 / perMinute }
    }

    private let rate: Rate
    /// In millionths.
    private var level: Int64
    /// When it was filled last.
    package private(set) var at: Instant

    package init(full rate: Rate, at now: Instant) {
        self.rate = rate
        level = rate.atOnce * 1_000_000
        at = now
    }

    /// - Returns: whether there is one to take, which is not taken yet.
    package mutating func hasOne(now: Instant) -> Bool {
        // A machine may have slept for a year, or its clock may have stood still.
        let passed = min(max((now - at).microseconds, 0), rate.refillMicroseconds)
        level = min(rate.atOnce * 1_000_000, level + passed * rate.perMinute / 60)
        at = now
        return level >= 1_000_000
    }

    package mutating func take() { level -= 1_000_000 }
}
