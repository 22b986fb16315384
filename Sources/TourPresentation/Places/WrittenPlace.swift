import TourModel
import TourNotebook

/// A place at the start of a text, as people write or paste one: decimal degrees, degrees and minutes, a `geo:` address
/// or the link of a map.
package struct WrittenPlace: Hashable, Sendable {
    /// The position that is written, exactly.
    package let coordinate: Coordinate
    /// The text behind the place, from the comma between them on.
    package let rest: String

    /// - Returns: nil if no place is there, or one that can be read in two ways, or a link that shows some map only.
    package init?(_ text: String) {
        let start = text.drop { $0.isWhitespace || $0.isInvisible }
        let word = start.prefix { !$0.isWhitespace }
        if Self.isAddress(word) {
            guard let (coordinate, end) = Self.address(word) else { return nil }
            self.coordinate = coordinate
            rest = String(start[end...])
            return
        }
        var degrees = DegreesReader(start)
        guard let (coordinate, end) = degrees.place() else { return nil }
        self.coordinate = coordinate
        rest = String(start[end...])
    }

    /// Whether a text starts as a place does, even if it is none that can be read.
    package static func isMeant(in text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || $0.isInvisible }
        return isAddress(start.prefix { !$0.isWhitespace }) || DegreesReader.isMeant(in: start)
    }

    /// Whether a place stands behind other words.
    package static func isWithin(_ text: String) -> Bool {
        text.indices.dropFirst().contains { index in
            guard text[text.index(before: index)].isWhitespace, !text[index].isWhitespace else { return false }
            let word = text[index...].prefix { !$0.isWhitespace }
            return isAddress(word) || DegreesReader.isSure(in: text[index...])
        }
    }

    /// The place of an address, and where that ends: at a blank, the sign of a sentence, or a label behind a comma.
    private static func address(_ word: Substring) -> (Coordinate, String.Index)? {
        var address = word
        while let last = address.last, ".;!?".contains(last) { address.removeLast() }
        if let found = MapAddress(address) { return (found.coordinate, word.endIndex) }
        let commas = word.indices.filter { word[$0] == "," }
        guard commas.count > 1, word[commas[1]...].dropFirst().first?.isLetter ?? false,
            let found = MapAddress(word[..<commas[1]])
        else { return nil }
        return (found.coordinate, commas[1])
    }

    private static func isAddress(_ word: Substring) -> Bool {
        word.prefix(4).lowercased() == "geo:" || MapAddress.isMap(word)
    }
}

extension Character {
    /// A mark of direction, or another one that nobody sees.
    var isInvisible: Bool { unicodeScalars.allSatisfy(\.isInvisibleMark) }
}
