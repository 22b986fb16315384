/// Thirty-two bytes held inline: every hash, identifier and public key of the protocol.
///
/// Four big-endian words rather than an array, so that a dictionary of identifiers allocates nothing per key
/// and `<` is the lexicographic order of the bytes.
package struct Bytes32: Hashable, Comparable, Sendable {
    package static let count = 32
    package static let zero = Bytes32(0, 0, 0, 0)

    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64

    private init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        self.word0 = word0
        self.word1 = word1
        self.word2 = word2
        self.word3 = word3
    }

    /// - Returns: nil unless `bytes` has exactly 32 elements.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var index = 0
        for byte in bytes {
            switch index >> 3 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
            index += 1
        }
        self.init(words.0, words.1, words.2, words.3)
    }

    /// - Returns: nil unless `hex` is 64 hexadecimal digits (either case).
    package init?(hex: String) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes)
    }

    package var bytes: [UInt8] {
        var result = [UInt8]()
        result.reserveCapacity(Self.count)
        append(to: &result)
        return result
    }

    package func append(to buffer: inout [UInt8]) {
        for word in [word0, word1, word2, word3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                buffer.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { Hex.encode(bytes) }

    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.word0 != right.word0 { return left.word0 < right.word0 }
        if left.word1 != right.word1 { return left.word1 < right.word1 }
        if left.word2 != right.word2 { return left.word2 < right.word2 }
        return left.word3 < right.word3
    }
}
