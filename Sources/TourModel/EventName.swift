/// The name by which one control event refers to another: the first 16 bytes of its id. Stored as two integers: a
/// removal contains thousands, and an array for each would take four times the memory. Source: `Protocol/05-events.md`,
/// "Authority".
package struct EventName: Hashable, Comparable, Sendable {
    /// The number of bytes.
    package static let count = 16

    private let high: UInt64
    private let low: UInt64

    package init(_ id: EventID) {
        high = id.raw.word0
        low = id.raw.word1
    }

    /// The name in the first 16 of these bytes.
    /// - Returns: nil when there are fewer: these name no event.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.count else { return nil }
        // Read as words: one event may contain thousands.
        self =
            bytes.withContiguousStorageIfAvailable { Self(words: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes.prefix(Self.count)).withUnsafeBytes { Self(words: $0) }
    }

    private init(words bytes: UnsafeRawBufferPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(Self.count)
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return bytes
    }

    /// The lexicographic order of the bytes.
    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
