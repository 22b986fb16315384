/// Comma-separated values. Source: RFC 4180.
package enum CSV {
    /// One record with its CRLF.
    ///
    /// A cell that a spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a line break,
    /// also behind blanks or in full width) gets an apostrophe in front.
    package static func record(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    private static let quoted: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]
    private static let opening: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
    private static let breaking: Set<Unicode.Scalar> = ["\t", "\r", "\n"]

    private static func cell(_ text: String) -> String {
        let safe = isFormula(text) ? "'" + text : text
        guard safe.unicodeScalars.contains(where: quoted.contains) else { return safe }
        var result = "\""
        for scalar in safe.unicodeScalars {
            if scalar == "\"" { result += "\"" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    private static func isFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        if breaking.contains(first) { return true }
        guard let visible = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { return false }
        return opening.contains(visible)
    }
}
