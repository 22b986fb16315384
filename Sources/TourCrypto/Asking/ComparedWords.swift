import TourModel

/// Four words that two people compare by eye: both devices of an ask link without anybody between them show the same.
/// Source: `Protocol/14-asking.md`, "By words".
package struct ComparedWords: Hashable, Sendable {
    /// How many there are; each is one of 1,024, so that words agree by chance once in 2^40.
    package static let count = 4

    /// The words, in order.
    package let words: [String]

    /// - Parameter handshakeHash: 64 bytes.
    package init(handshakeHash: [UInt8], asker: Bytes32, member: Bytes32) {
        let bits = Hash.of(.askWords, handshakeHash, asker.bytes, member.bytes).bytes.prefix(5)
            .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        words = (0..<Self.count).map { Self.list[Int(bits >> UInt64(30 - 10 * $0) & 1_023)] }
    }

    /// What an asker says first: it fixes its nonce, which it shows only once it has the member's.
    package static func commitment(handshakeHash: [UInt8], asker: Bytes32) -> Bytes32 {
        Hash.of(.askCommit, handshakeHash, asker.bytes)
    }

    /// Two words by which people tell apart tours near them.
    package static func label(of tag: DiscoveryTag) -> String {
        tag.bytes.prefix(2).map { WordList.words[Int($0)] }.joined(separator: " ")
    }

    /// The PSK of an ask link: it says which tour is meant, and is no secret.
    package static func psk(of tag: DiscoveryTag) -> SecretBytes { SecretBytes(Hash.of(.askLink, tag.bytes).bytes) }
}
