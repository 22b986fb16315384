/// Other people's text inside markup: XML, HTML, or that of notifications.
package enum MarkupText {
    /// Shows the text literally, as content and in a quoted attribute. Source: XML 1.0, 2.4.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
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
