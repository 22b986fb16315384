/// Thirty-two bytes held inline: every hash, identifier and public key of the protocol.
///
/// Four big-endian words rather than an array, so that a dictionary of identifiers allocates nothing for its keys and
/// `<` is the lexicographic order of the bytes. Inlinable, as are the identifiers: each message needs some fifty
/// look-ups by them.
@usableFromInline
package struct Bytes32: Hashable, Comparable, Sendable {
    /// The number of bytes.
    package static let count = 32
    /// All bytes zero.
    package static let zero = Bytes32(0, 0, 0, 0)

    @usableFromInline let word0: UInt64
    @usableFromInline let word1: UInt64
    @usableFromInline let word2: UInt64
    @usableFromInline let word3: UInt64

    private init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        self.word0 = word0
        self.word1 = word1
        self.word2 = word2
        self.word3 = word3
    }

    /// - Returns: nil unless `bytes` has exactly 32 elements.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        // Read as words: each decoded event needs this five times.
        self =
            bytes.withContiguousStorageIfAvailable { Self(words: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { Self(words: $0) }
    }

    /// - Returns: nil unless there are exactly 32 bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.count else { return nil }
        self.init(words: bytes)
    }

    private init(words bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        self.init(word(0), word(1), word(2), word(3))
    }

    /// - Returns: nil unless `hex` is 64 hexadecimal digits (either case).
    package init?(hex: String) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes)
    }

    /// The bytes as an array.
    package var bytes: [UInt8] {
        var result = [UInt8]()
        result.reserveCapacity(Self.count)
        append(to: &result)
        return result
    }

    /// The first eight bytes, as a big-endian number.
    @inlinable package var prefix: UInt64 { word0 }

    /// Appends the bytes.
    package func append(to buffer: inout [UInt8]) {
        withUnsafeBytes(of: (word0.bigEndian, word1.bigEndian, word2.bigEndian, word3.bigEndian)) { buffer += $0 }
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { Hex.encode(bytes) }

    @inlinable package static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.word0 != right.word0 { return left.word0 < right.word0 }
        if left.word1 != right.word1 { return left.word1 < right.word1 }
        if left.word2 != right.word2 { return left.word2 < right.word2 }
        return left.word3 < right.word3
    }
}
