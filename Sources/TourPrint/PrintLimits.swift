/// What one document may take, so that printing ends soon whatever the text is.
package enum PrintLimits {
    /// All of its text, in bytes of UTF-8: an itinerary of 2,000 stops with a page about each.
    package static let textBytesMax = 2 * 1_024 * 1_024
    /// Sheets of A4: more than anybody carries.
    package static let pagesMax = 2_000
    /// The file, in bytes: some thousand a page, and its fonts.
    package static let fileBytesMax = 64 * 1_024 * 1_024
    /// Laid out at a time, in bytes of UTF-8. Breaking one long word into lines takes a time that grows with the square
    /// of its length.
    static let pieceBytesMax = 1_024
    /// Links of one paragraph: more stay plain text.
    static let linksMax = 1_000
    /// An address that is made a link, in bytes of UTF-8, as browsers take them.
    static let linkBytesMax = 4_096
    /// A language's name. Pango keeps every one that it has seen.
    static let languageBytesMax = 16
}
