/// Text of HTML.
enum HTMLText {
    /// With characters instead of their names and numbers; what is none stays.
    static func decoded(_ text: some StringProtocol) -> String {
        var result = ""
        var rest = Substring(text)
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            let name = rest.dropFirst().prefix(12).prefix { $0 != ";" && $0 != "&" }
            guard rest.dropFirst(name.count + 1).first == ";", let scalar = scalar(name) else {
                result.append("&")
                rest = rest.dropFirst()
                continue
            }
            result.unicodeScalars.append(scalar)
            rest = rest.dropFirst(name.count + 2)
        }
        return result + rest
    }

    /// Without tags: a tag that ends a line ends it, and a link's address follows its words.
    static func plain(_ html: String) -> String {
        var result = ""
        var rest = html[...]
        var address: String?
        while let open = rest.firstIndex(of: "<") {
            result += decoded(rest[..<open])
            rest = rest[open...]
            guard let tag = HTMLTag(&rest) else {
                result.append("<")
                rest = rest.dropFirst()
                continue
            }
            switch tag.name {
            case "br", "p", "/p", "div", "/div", "li", "tr", "/table", "h1", "h2", "h3":
                if !result.isEmpty, result.last != "\n" { result.append("\n") }
            case "td", "th": if !result.isEmpty, result.last?.isWhitespace == false { result.append(" ") }
            case "a": address = tag.attribute("href")
            case "/a":
                if let link = address, !link.isEmpty, !result.hasSuffix(link) { result += " " + link }
                address = nil
            default: break
            }
        }
        return (result + decoded(rest)).trimmed
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return HTMLEntity.scalar(named: name) }
        let digits = name.dropFirst()
        let value = ["x", "X"].contains(digits.first) ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
}
