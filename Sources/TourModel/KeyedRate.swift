/// Limits how often each key, such as an address, does something: a bucket for each, so that no key takes the places of
/// all others, and one for all of them, so that many keys do no more.
package struct KeyedRate<Key: Hashable & Sendable>: Sendable {
    /// So many keys are counted; the one that has been quiet for longest makes room.
    package static var keysMax: Int { 1_024 }

    private let ofAll: TokenBucket.Rate?
    private let ofEach: TokenBucket.Rate
    private var all: TokenBucket?
    private var buckets: [Key: TokenBucket] = [:]

    /// - Parameter ofAll: nil where keys are bounded one by one alone.
    package init(ofAll: TokenBucket.Rate? = nil, ofEach: TokenBucket.Rate) {
        (self.ofAll, self.ofEach) = (ofAll, ofEach)
    }

    /// The seconds in which a key may once more, at least 1.
    package var pauseSeconds: Int { ofEach.pauseSeconds }

    /// - Returns: whether one more is allowed; does not count it.
    package mutating func hasOne(_ key: Key, now: Instant) -> Bool {
        if all == nil { all = ofAll.map { TokenBucket(full: $0, at: now) } }
        return (all?.hasOne(now: now) ?? true) && (buckets[key]?.hasOne(now: now) ?? true)
    }

    /// Counts one, whether it is allowed or not.
    package mutating func count(_ key: Key, now: Instant) {
        // The bucket fills for the time that has passed before one is taken out.
        _ = hasOne(key, now: now)
        if buckets[key] == nil, buckets.count >= Self.keysMax { makeRoom(now) }
        buckets[key, default: TokenBucket(full: ofEach, at: now)].acquire()
        all?.acquire()
    }

    /// Counts one if it is allowed.
    /// - Returns: whether it is.
    package mutating func acquire(_ key: Key, now: Instant) -> Bool {
        guard hasOne(key, now: now) else { return false }
        count(key, now: now)
        return true
    }

    private mutating func makeRoom(_ now: Instant) {
        // A bucket that is full again needs no memory.
        buckets = buckets.filter { (now - $0.value.at).microseconds < ofEach.refillMicroseconds }
        guard buckets.count >= Self.keysMax, let quiet = buckets.min(by: { $0.value.at < $1.value.at }) else { return }
        buckets[quiet.key] = nil
    }
}
