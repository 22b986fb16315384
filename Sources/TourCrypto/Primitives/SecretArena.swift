import CSodium
import Synchronization

/// The storage of short secrets: one region locked into memory, kept out of core dumps and fenced by guard pages.
///
/// One region rather than one lock for each secret, because locks work by page and do not nest: unlocking one secret
/// would unlock its neighbours, and a page for each would soon exceed the limits on locked memory and on mappings.
/// Where the system refuses the lock, the region is used unlocked.
enum SecretArena {
    /// The longest secret that fits a slot: an Ed25519 secret key or a Noise chaining key.
    static let slotBytes = 64

    private static let slotCount = 4_096

    // The address never changes, and only the secret that took a slot touches it.
    private nonisolated(unsafe) static let base: UnsafeMutableRawPointer? = {
        Sodium.start()
        return sodium_malloc(slotBytes * slotCount)
    }()

    private final class Word: Sendable {
        let taken = Atomic<UInt64>(0)
    }

    private static let words = (0..<slotCount / 64).map { _ in Word() }
    private static let nextWord = Atomic<Int>(0)

    /// - Returns: 64 uninitialised bytes, or nil when all slots are taken.
    static func acquire() -> UnsafeMutableRawPointer? {
        guard let base else { return nil }
        let first = nextWord.wrappingAdd(1, ordering: .relaxed).oldValue
        for step in 0..<words.count {
            let index = Int(UInt(bitPattern: first &+ step) % UInt(words.count))
            let word = words[index]
            var taken = word.taken.load(ordering: .relaxed)
            while taken != .max {
                let bit = (~taken).trailingZeroBitCount
                let (exchanged, found) = word.taken.compareExchange(
                    expected: taken, desired: taken | 1 << bit, ordering: .acquiring)
                if exchanged { return base + (index * 64 + bit) * slotBytes }
                taken = found
            }
        }
        return nil
    }

    /// Frees a slot, which the caller has wiped.
    /// - Returns: false when `pointer` is no slot of this arena.
    static func give(_ pointer: UnsafeMutableRawPointer) -> Bool {
        guard let base, pointer >= base, pointer < base + slotBytes * slotCount else { return false }
        let slot = (pointer - base) / slotBytes
        words[slot / 64].taken.bitwiseAnd(~(1 << UInt64(slot % 64)), ordering: .releasing)
        return true
    }
}
