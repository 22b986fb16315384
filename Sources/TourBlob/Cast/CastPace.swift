import TourModel

/// A budget of bytes on the wire that refills at a rate.
struct CastPace: Sendable {
    /// The most that can be saved up: two batches, so that a late timer costs nothing.
    private static let burst = Int64(2 * CastSender.batchMax * Self.datagramBytes)
    private static let datagramBytes = Limits.datagramBytesMax + CastSender.datagramHeaderBytes

    /// The rate in bytes a second.
    var rate: Int
    private var saved = Self.burst
    private var filledAt: Instant?

    init(rate: Int) { self.rate = rate }

    /// How many datagrams may be sent now.
    mutating func datagrams(_ now: Instant) -> Int {
        let elapsed = min(max((now - (filledAt ?? now)).microseconds, 0), 1_000_000)
        let filled = elapsed * Int64(rate) / 1_000_000
        // Fractions of a byte are not lost: the clock only advances when bytes were counted.
        if filled > 0 || filledAt == nil { filledAt = now }
        saved = min(saved + filled, Self.burst)
        return Int(saved) / Self.datagramBytes
    }

    mutating func acquire(_ datagrams: Int) { saved -= Int64(datagrams * Self.datagramBytes) }

    /// When a whole batch may be sent.
    func nextBatch(_ now: Instant) -> Instant {
        let missing = max(Int64(CastSender.batchMax * Self.datagramBytes) - saved, 0)
        return max(now, filledAt ?? now) + .microseconds(missing * 1_000_000 / Int64(rate) + 1)
    }
}
