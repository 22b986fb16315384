import TourCrypto

/// Makes up names and passwords of networks. Neither says anything about the device or its owner.
package enum HotspotNames {
    /// Letters and digits that are hard to mistake for each other, on paper and aloud.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let groups = 3, groupLength = 4

    /// Two words after "Tour", which tell the networks of two groups in one hotel apart.
    package static func name(using generator: inout some RandomNumberGenerator) -> String {
        let words = (0..<2).map { _ in WordList.words[Int.random(in: 0..<256, using: &generator)] }
        return (["Tour"] + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }).joined(separator: " ")
    }

    /// Twelve of 31 letters, in groups to be typed: 59 bits. Whoever records a device's coming can try passwords
    /// elsewhere: half of so many take twelve thousand years at a million a second.
    package static func password(using generator: inout some RandomNumberGenerator) -> String {
        (0..<groups).map { _ in
            String((0..<groupLength).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
        }.joined(separator: "-")
    }
}
