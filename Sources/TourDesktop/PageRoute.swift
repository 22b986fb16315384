import TourModel

/// Views of the page, as in its address.
package enum PageRoute {
    /// The view that asks whether to join with a link; opening it does not join.
    package static func join(_ link: String) -> String { "/join/" + percentEncoded(link) }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let letter = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (letter.isLetter || letter.isNumber || "-._~".contains(letter))
            result += isPlain ? String(letter) : "%" + Hex.encode([byte]).uppercased()
        }
    }
}
