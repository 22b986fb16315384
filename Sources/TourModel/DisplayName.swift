/// The names of members and of tours.
package enum DisplayName {
    /// Without blanks at the ends, and with one space for each run of blanks inside.
    package static func tidy(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether a tidy name is valid: not empty to the eye, not too long, and without control characters.
    /// Source: `Protocol/05-events.md`, "Content".
    package static func isAllowed(_ name: String) -> Bool {
        !name.looksEmpty && name.utf8.count <= Limits.nameBytesMax
            && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Equal for names that read the same: ignores blanks, case, accents and invisible characters.
    package static func folded(_ name: String) -> String {
        FoldedText.of(tidy(name.withoutInvisibleMarks))
    }
}
