/// The languages of texts that the server writes for people.
package enum Language: String, Sendable {
    case english = "en"
    case turkish = "tr"

    /// The language that the client prefers among these; English when it names none of them.
    /// Source: RFC 9110, section 12.5.4.
    package init(accepting header: String?) {
        var best = (language: Language.english, weight: 0.0)
        for range in (header ?? "").split(separator: ",").prefix(ServerLimits.languagesReadMax) {
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let name = parts.first?.lowercased() else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            let language = name == "*" ? .english : Language(rawValue: String(name.prefix { $0 != "-" }))
            if let language, weight > best.weight { best = (language, weight) }
        }
        self = best.language
    }
}
