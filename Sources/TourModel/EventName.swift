/// How one control event names another: the first 16 bytes of its id. Kept as numbers: a removal names thousands, and
/// an array of each would take four times as much memory. Source: `Protocol/05-events.md`, "Authority".
package struct EventName: Hashable, Comparable, Sendable {
    package static let count = 16

    private let high: UInt64
    private let low: UInt64

    package init(_ id: EventID) {
        high = id.raw.word0
        low = id.raw.word1
    }

    /// Of the first 16 of these bytes.
    /// - Returns: nil when there are fewer: that names no event.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.count else { return nil }
        // Read as words: one event may name thousands.
        self =
            bytes.withContiguousStorageIfAvailable { Self(words: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes.prefix(Self.count)).withUnsafeBytes { Self(words: $0) }
    }

    private init(words bytes: UnsafeRawBufferPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    package var bytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(Self.count)
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return bytes
    }

    /// As their bytes stand in a dictionary.
    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
