import TourModel

/// Places as waypoints of GPX 1.1, which has no tags and marks: JSON keeps everything.
/// Source: topografix.com/GPX/1/1, `Protocol/12-notebook.md`, "Import and export".
package struct GPXWriter: Sendable {
    private let categories: [NotebookID: String]

    /// - Parameter items: the source of the categories' names.
    package init(_ items: [NotebookItem]) {
        var categories: [NotebookID: String] = [:]
        for item in items {
            if case .category(let category) = item.content { categories[item.id] = category.name }
        }
        self.categories = categories
    }

    /// The text before the first waypoint.
    package var start: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="tour-chat" xmlns="\(GPX.namespace)">

        """
    }

    /// The text after the last waypoint.
    package var end: String { "</gpx>\n" }

    /// - Returns: an empty text for anything but a place with coordinates.
    package func waypoint(_ item: NotebookItem) -> String {
        guard case .place(let place) = item.content, let coordinate = place.coordinate else { return "" }
        var text = "<wpt lat=\"\(coordinate.latitudeText)\" lon=\"\(coordinate.longitudeText)\">"
        text += "<time>\(Timestamp(seconds: Int(item.createdAt)).text)</time>"
        text += "<name>\(XMLText.escaped(place.title))</name>"
        let (words, link) = Self.parts(of: place.note)
        if let words { text += "<desc>\(XMLText.escaped(words))</desc>" }
        if let link { text += "<link href=\"\(XMLText.escaped(link))\"/>" }
        if let category = place.categoryID.flatMap({ categories[$0] }) {
            text += "<type>\(XMLText.escaped(category))</type>"
        }
        return text + "</wpt>\n"
    }

    /// Splits off an address on the last line of a note, where the reader puts links.
    private static func parts(of note: String?) -> (words: String?, link: String?) {
        guard let note else { return (nil, nil) }
        let last = note.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        guard last.hasPrefix("https://") || last.hasPrefix("http://"), !last.contains(where: \.isWhitespace) else {
            return (note, nil)
        }
        let words = note.dropLast(last.count)
        return (words.isEmpty ? nil : String(words.dropLast()), String(last))
    }
}

/// Text inside XML.
enum XMLText {
    /// Escaped for use as content and in a quoted attribute. Characters that XML cannot contain become U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: result += "&amp;"
            case 0x3C: result += "&lt;"
            case 0x3E: result += "&gt;"
            case 0x22: result += "&quot;"
            case 0x27: result += "&#39;"
            case 0x0D: result += "&#13;"
            case 0x09, 0x0A: result.unicodeScalars.append(scalar)
            case 0..<0x20, 0xFFFE, 0xFFFF: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
