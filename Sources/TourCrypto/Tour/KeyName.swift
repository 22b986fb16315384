import TourModel

/// A member's name until a profile event gives another: four words and a colour from its identity key.
/// Source: `Protocol/01-identity.md`, "Names".
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
    /// The range of colours.
    package static let colors = 0..<16

    /// Four words from the bundled list.
    package let words: [String]
    /// A number within `colors`.
    package let color: Int

    /// Bytes 0 to 3 of H("words", identity key) choose the words, the low four bits of byte 4 the colour.
    package init(identity: SigningKey) {
        let hash = Hash.of(.words, identity.bytes).bytes
        words = hash.prefix(4).map { WordList.words[Int($0)] }
        color = Int(hash[4] & 15)
    }

    /// The words separated by spaces.
    package var description: String { words.joined(separator: " ") }
}
