// Text that looks like nothing, and marks that nobody sees: phones copy them with numbers, and a name of them is an
// empty line.
extension Unicode.Scalar {
    /// Whether it takes no room and has no shape: marks of direction, joiners, selectors, fillers of Hangul.
    package var isInvisibleMark: Bool { properties.isDefaultIgnorableCodePoint }

    /// The letter, digit or sign of ASCII of which this is the one of full width; else the same.
    package var narrow: Unicode.Scalar {
        (0xFF01...0xFF5E).contains(value) ? Unicode.Scalar(value - 0xFEE0) ?? self : self
    }

    /// `0` to `9` for a decimal digit of any script; nil for anything else.
    package var digit: Unicode.Scalar? {
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return Unicode.Scalar(UInt32(value) + 0x30)
    }

    /// An empty cell of Braille, which is no blank by its properties.
    fileprivate var looksBlank: Bool { isInvisibleMark || properties.isWhitespace || value == 0x2800 }
}

extension StringProtocol {
    /// Whether nothing in it is visible.
    package var looksEmpty: Bool {
        unicodeScalars.allSatisfy { $0.looksBlank || $0.properties.generalCategory == .control }
    }

    /// Without invisible marks; blanks stay.
    package var withoutInvisibleMarks: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isInvisibleMark }))
    }
}
