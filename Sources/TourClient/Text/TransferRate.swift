/// The speed of a transfer, over the last three seconds.
package struct TransferRate: Sendable {
    private struct Sample {
        var at: ContinuousClock.Instant
        var done: UInt64
    }

    private static let window: Duration = .seconds(3)
    /// A rate measured over less time means nothing.
    private static let measuredMin: Duration = .milliseconds(500)
    /// Closer samples count as one, so that a few dozen fill the window.
    private static let pause: Duration = .milliseconds(100)

    /// The first one is the last from before the window, if there is one.
    private var samples: [Sample] = []

    package init() {}

    /// - Parameter done: bytes so far. If they decrease, another transfer has begun.
    package mutating func add(_ done: UInt64, at now: ContinuousClock.Instant) {
        if let last = samples.last, done < last.done { samples = [] }
        if samples.count > 1, samples[samples.count - 2].at.duration(to: now) < Self.pause { samples.removeLast() }
        samples.append(Sample(at: now, done: done))
        while samples.count > 2, samples[1].at.duration(to: now) >= Self.window { samples.removeFirst() }
    }

    /// Nil until enough was measured.
    package var bytesPerSecond: UInt64? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let time = first.at.duration(to: last.at)
        guard time >= Self.measuredMin else { return nil }
        return UInt64(Double(last.done - first.done) / (time / .seconds(1)))
    }
}
