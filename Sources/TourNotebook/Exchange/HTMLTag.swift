/// A tag of HTML, as far as lists of bookmarks and descriptions of places need it. Source: the HTML Standard,
/// "Tokenization".
struct HTMLTag {
    /// In small letters, with the slash of an end tag: `a`, `/dl`.
    let name: String
    private let attributes: Substring

    /// Takes a tag, or a comment as one named `!`, off the start of a text. One without an end takes all of the text.
    /// - Returns: nil where there is none; the text stays then.
    init?(_ text: inout Substring) {
        if text.hasPrefix("<!") {
            let end = text.end(of: text.hasPrefix("<!--") ? "-->" : ">")
            (name, attributes) = ("!", "")
            text = text[end...]
            return
        }
        let word = text.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/") }
        guard text.first == "<", word.contains(where: \.isLetter) else { return nil }
        var rest = text[word.endIndex...]
        var quote: Character?
        var end = rest.startIndex
        while end < rest.endIndex {
            let character = rest[end]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == ">" {
                break
            } else if character == "\"" || character == "'", rest[..<end].last == "=" {
                quote = character
            }
            end = rest.index(after: end)
        }
        name = String(word.last == "/" && word.count > 1 ? word.dropLast() : word).lowercased()
        attributes = rest[..<end]
        rest = rest[end...].dropFirst()
        text = rest
    }

    /// - Parameter wanted: in small letters.
    func attribute(_ wanted: String) -> String? {
        var rest = attributes
        while let start = rest.firstIndex(where: { !$0.isWhitespace && $0 != "/" }) {
            let name = rest[start...].prefix { $0 != "=" && !$0.isWhitespace }
            rest = rest[name.endIndex...].drop(while: \.isWhitespace)
            guard rest.first == "=" else {
                if name.isEmpty { return nil }
                continue
            }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let value: Substring
            if let quote = rest.first, quote == "\"" || quote == "'" {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { !$0.isWhitespace }
                rest = rest[value.endIndex...]
            }
            if name.lowercased() == wanted { return HTMLText.decoded(value) }
        }
        return nil
    }
}

extension Substring {
    /// The end of the first place where another text stands, or of this one.
    fileprivate func end(of text: String) -> Index {
        var rest = self
        while !rest.isEmpty, !rest.hasPrefix(text) { rest = rest.dropFirst() }
        return rest.index(rest.startIndex, offsetBy: text.count, limitedBy: rest.endIndex) ?? rest.endIndex
    }
}
