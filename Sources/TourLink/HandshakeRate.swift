import TourModel

/// How many handshakes are worked out of those who know a secret, each of them some Diffie-Hellman: of one address, so
/// that nobody takes the places of all others, and of all together, so that many addresses cost no more.
/// Source: `Protocol/03-handshake.md`, "Limits".
struct HandshakeRate: Sendable {
    /// Fills with time and is emptied by what is taken.
    private struct Bucket {
        /// In millionths of a handshake.
        var level: Int64
        var at: Instant

        init(full capacity: Int64, at now: Instant) { (level, at) = (capacity * 1_000_000, now) }

        mutating func fill(_ perSecond: Int64, upTo capacity: Int64, now: Instant) {
            // A machine may have slept for a year, or its clock may have stood still.
            let passed = min(max((now - at).microseconds, 0), 60_000_000)
            level = min(capacity * 1_000_000, level + passed * perSecond)
            at = now
        }

        var hasOne: Bool { level >= 1_000_000 }
    }

    private var all: Bucket?
    private var addresses: [String: Bucket] = [:]

    /// - Returns: false for one too many.
    mutating func take(from address: String, now: Instant) -> Bool {
        var total = all ?? Bucket(full: Limits.handshakesAtOnceMax, at: now)
        total.fill(Limits.handshakesPerSecondMax, upTo: Limits.handshakesAtOnceMax, now: now)
        defer { all = total }
        guard total.hasOne else { return false }
        var own = addresses[address] ?? Bucket(full: Limits.handshakesOfAddressAtOnceMax, at: now)
        own.fill(Limits.handshakesOfAddressPerSecondMax, upTo: Limits.handshakesOfAddressAtOnceMax, now: now)
        defer { addresses[address] = own }
        guard own.hasOne else { return false }
        own.level -= 1_000_000
        total.level -= 1_000_000
        forgetTheFull(now)
        return true
    }

    /// An address that could take as many as a new one needs no memory; the rate of all bounds the others.
    private mutating func forgetTheFull(_ now: Instant) {
        guard addresses.count > Int(Limits.handshakesAtOnceMax) else { return }
        // By then its bucket is full again.
        let last = Limits.handshakesOfAddressAtOnceMax * 1_000_000 / Limits.handshakesOfAddressPerSecondMax
        addresses = addresses.filter { (now - $0.value.at).microseconds < last }
    }
}
