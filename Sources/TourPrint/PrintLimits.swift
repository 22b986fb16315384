/// The limits of one document, so that printing ends soon whatever the text.
package enum PrintLimits {
    /// All of its text, in bytes of UTF-8: an itinerary of 2,000 stops with about a page each.
    package static let textBytesMax = 2 * 1_024 * 1_024
    /// The text of a card, in bytes of UTF-8: more than fits in small letters.
    static let cardBytesMax = 16 * 1_024
    /// Sheets of A4: more than anybody carries.
    package static let pagesMax = 2_000
    /// The file, in bytes: some thousand a page, and its fonts.
    package static let fileBytesMax = 64 * 1_024 * 1_024
    /// The text laid out at a time, in bytes of UTF-8. The time to break one long word into lines grows with the
    /// square of its length.
    static let pieceBytesMax = 1_024
    /// Links in one paragraph: further ones stay plain text.
    static let linksMax = 1_000
    /// The longest address of a link, in bytes of UTF-8, as in browsers.
    static let linkBytesMax = 4_096
    /// The longest name of a language. Pango keeps every name that it has seen.
    static let languageBytesMax = 16
}
