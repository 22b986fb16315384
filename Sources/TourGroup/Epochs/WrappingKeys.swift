import TourCrypto
import TourModel

/// Our own wrapping keys: the newest, and older ones whose private halves are still needed.
/// Source: `Protocol/05-events.md`, "Wrapping keys".
package struct WrappingKeys: Sendable {
    /// One wrapping key and its history.
    package struct Kept: Sendable {
        /// The key pair.
        package let pair: WrappingKeyPair
        /// When it was made, in milliseconds since 1970.
        package let madeAt: Int64
        /// When a rekey first used a newer one; nil if none has.
        package fileprivate(set) var supersededAt: Int64?
        /// Whether a rekey has used this one.
        package fileprivate(set) var isUsed: Bool

        package init(pair: WrappingKeyPair, madeAt: Int64, supersededAt: Int64?, isUsed: Bool) {
            self.pair = pair
            self.madeAt = madeAt
            self.supersededAt = supersededAt
            self.isUsed = isUsed
        }
    }

    /// Oldest first, never empty.
    package private(set) var kept: [Kept]

    /// Rekeys written during a week that a member was away may still wrap for an older key.
    private static let keptMilliseconds: Int64 = 7 * 86_400_000
    private static let lifetimeMilliseconds: Int64 = 86_400_000
    /// A week's keys: one a day and one for each rekey.
    private static let keptMax = 64

    /// - Returns: nil for an empty list.
    package init?(_ kept: [Kept]) {
        guard !kept.isEmpty else { return nil }
        self.kept = kept
    }

    /// The key with which we were admitted.
    package init(admitted pair: WrappingKeyPair, wallMilliseconds: Int64) {
        kept = [Kept(pair: pair, madeAt: wallMilliseconds, supersededAt: nil, isUsed: false)]
    }

    /// The newest key pair.
    package var newest: WrappingKeyPair { kept[kept.count - 1].pair }

    /// Newest first, the order in which to try them.
    package var pairs: [WrappingKeyPair] { kept.reversed().map(\.pair) }

    /// Whether a new one is due: a rekey used the newest, or it is a day old.
    package func isNewDue(wallMilliseconds: Int64) -> Bool {
        let last = kept[kept.count - 1]
        return last.isUsed || wallMilliseconds - last.madeAt >= Self.lifetimeMilliseconds
    }

    /// Adds a key; store the result before its event is written.
    package mutating func add(_ pair: WrappingKeyPair, wallMilliseconds: Int64) {
        kept.append(Kept(pair: pair, madeAt: wallMilliseconds, supersededAt: nil, isUsed: false))
        if kept.count > Self.keptMax { kept.removeFirst(kept.count - Self.keptMax) }
    }

    /// Records that rekeys used these keys of ours.
    package mutating func recordUse(of keys: Set<WrappingKey>, wallMilliseconds: Int64) {
        guard let last = kept.lastIndex(where: { keys.contains($0.pair.publicKey) }) else { return }
        for index in kept.indices {
            if keys.contains(kept[index].pair.publicKey) { kept[index].isUsed = true }
            if index < last, kept[index].supersededAt == nil { kept[index].supersededAt = wallMilliseconds }
        }
    }

    /// Drops private halves for which a newer one has been in use for seven days.
    /// - Returns: whether any was dropped.
    package mutating func wipe(wallMilliseconds: Int64) -> Bool {
        let count = kept.count
        kept.removeAll { $0.supersededAt.map { wallMilliseconds - $0 >= Self.keptMilliseconds } ?? false }
        return kept.count < count
    }
}
