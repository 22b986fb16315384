/// The parameters behind the first semicolon of a header: `name="images[]"; filename="a.jpg"`. The first of several
/// parameters with the same name counts.
/// Source: RFC 9110, section 5.6.6.
struct HeaderParameters {
    private var values: [String: String] = [:]

    init(_ header: String) {
        var rest = header.drop { $0 != ";" }
        while rest.popFirst() == ";" {
            rest = rest.drop { $0.isWhitespace }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value = rest.first == "\"" ? Self.quoted(&rest) : Self.token(&rest)
            let key = name.lowercased().filter { !$0.isWhitespace }
            if values[key] == nil { values[key] = value }
            rest = rest.drop { $0 != ";" }
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    private static func token(_ rest: inout Substring) -> String {
        let token = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(token.count)
        return String(token).trimmingSuffix()
    }

    /// A backslash escapes only a quote or a backslash: some clients write the backslashes of a path unescaped.
    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        rest = rest.dropFirst()
        while let sign = rest.popFirst(), sign != "\"" {
            if sign == "\\", let next = rest.first, next == "\"" || next == "\\" {
                text.append(next)
                rest = rest.dropFirst()
            } else {
                text.append(sign)
            }
        }
        return text
    }
}

extension String {
    fileprivate func trimmingSuffix() -> String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
