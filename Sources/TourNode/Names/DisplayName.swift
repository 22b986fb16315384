import TourModel
import TourWire

/// What somebody, or a tour, is called.
package enum DisplayName {
    /// Without blanks at its ends, and with one space for each run of them inside.
    package static func tidy(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether a tidy name may be given: not empty, not too long, and without control characters.
    /// Source: `Protocol/05-events.md`, "Content".
    static func isAllowed(_ name: String) -> Bool {
        name.fits(Limits.nameBytesMax)
            && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Equal for names that are read as the same: blanks, case, accents and what cannot be seen do not count.
    package static func folded(_ name: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            visible.append(scalar)
        }
        return FoldedText.of(tidy(String(visible)))
    }
}
