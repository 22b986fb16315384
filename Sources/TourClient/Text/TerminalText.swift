/// Other people's text, made safe for a terminal: nothing in it moves the cursor, changes a colour, or turns the
/// direction in which the rest of the line reads.
package enum TerminalText {
    /// Replaces control characters by their pictures (`ESC` is shown as U+241B) and tabs by a space; removes
    /// direction overrides and isolates, byte order marks and line separators.
    /// - Parameter keepsNewlines: else a line break (LF, CRLF or CR, which terminals paste) becomes a space.
    package static func safe(_ text: String, keepsNewlines: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        let lineBreak: Unicode.Scalar = keepsNewlines ? "\n" : " "
        var isAfterCR = false
        for scalar in text.unicodeScalars {
            defer { isAfterCR = scalar.value == 0x0D }
            switch scalar.value {
            case 0x0A where isAfterCR: continue
            case 0x0A, 0x0D: result.append(lineBreak)
            case 0x09, 0x2028, 0x2029: result.append(" ")
            case 0..<0x20: append(picture: scalar.value, to: &result)
            case 0x7F: result.append("\u{2421}")
            case 0x80...0x9F: result.append("\u{FFFD}")
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func append(picture control: UInt32, to result: inout String.UnicodeScalarView) {
        if let picture = Unicode.Scalar(0x2400 + control) { result.append(picture) }
    }
}
