/// Other people's text, prepared for a notification: short, without characters that change the direction of
/// neighbouring text, and without markup for servers that interpret it.
package enum NoticeText {
    /// Marks a text that was cut.
    private static let ellipsis = "…"

    /// On one line: blanks become single spaces, invisible characters are dropped.
    /// - Parameter lengthMax: in Unicode scalars: a letter may have any number of accents.
    package static func line(_ text: String, lengthMax: Int) -> String {
        // A text may consist mostly of blanks and invisible characters: bounds how much of it is read.
        let start = text.unicodeScalars.prefix(4 * lengthMax)
        var visible = String.UnicodeScalarView()
        for scalar in start where !isDropped(scalar) { visible.append(isBlank(scalar) ? " " : scalar) }
        let words = String(visible).split(separator: " ").joined(separator: " ")
        return cut(words, lengthMax, isCut: start.endIndex < text.unicodeScalars.endIndex)
    }

    /// The same, isolated from its surroundings: right-to-left text does not move its neighbours.
    package static func apart(_ text: String, lengthMax: Int) -> String {
        "\u{2068}\(line(text, lengthMax: lengthMax))\u{2069}"
    }

    private static func cut(_ text: String, _ lengthMax: Int, isCut: Bool) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > lengthMax else { return isCut ? text + ellipsis : text }
        // Cuts between letters, unless one alone is too long.
        var kept = ""
        var length = 0
        for letter in text {
            length += letter.unicodeScalars.count
            guard length < lengthMax else { break }
            kept.append(letter)
        }
        return (kept.isEmpty ? String(String.UnicodeScalarView(scalars.prefix(lengthMax - 1))) : kept) + ellipsis
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Control characters, marks and overrides of direction, byte order marks and annotations; joiners of letters are
    /// kept.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85: false
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        // Invisible letters, which can spell anything.
        case 0xE0000...0xE0FFF: true
        default: false
        }
    }
}
