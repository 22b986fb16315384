import TourModel

/// Text inside an HTML page.
package enum HTMLText {
    /// Safe as content and as a quoted attribute; control and direction characters as in `TerminalText`.
    package static func escaped(_ text: String) -> String {
        MarkupText.escaped(TerminalText.safe(text, keepsNewlines: true))
    }
}
