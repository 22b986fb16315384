/// Text inside an HTML page.
package enum HTMLText {
    /// Safe as content and as a quoted attribute; control and direction characters as in `TerminalText`.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in TerminalText.safe(text, keepsNewlines: true).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
