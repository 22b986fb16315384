/// Words for a person, in the language of whoever reads them: what is written in the code is English, and the key of
/// its translations in `Sources/CWords/catalogues`.
///
/// ```
/// Phrase("No tour here is called “\(name)”.")
/// Phrase(links, one: "\(links) link", other: "\(links) links")
/// ```
///
/// Text is always a literal between these parentheses: `Scripts/words` collects the keys from there. What is
/// interpolated stays as it is, but for a phrase, which is translated too.
package struct Phrase: Hashable, Sendable {
    private enum Body: Hashable, Sendable {
        case verbatim(String)
        case template(Template)
        case plural(Int, one: Template, other: Template)
        case joined([Phrase])
        case list([Phrase])
    }

    private let body: Body

    package init(_ template: Template) { body = .template(template) }

    /// Words beside a number. Both forms interpolate the same things in the same order.
    package init(_ number: Int, one: Template, other: Template) { body = .plural(number, one: one, other: other) }

    /// What is the same in every language: names, addresses, numbers, what somebody wrote.
    package init(verbatim text: some StringProtocol) { body = .verbatim(String(text)) }

    /// - Parameter separator: the same in every language.
    package init(_ parts: some Sequence<Phrase>, separator: String) {
        let between = Phrase(verbatim: separator)
        body = .joined(Array(parts.flatMap { [between, $0] }.dropFirst()))
    }

    /// In a row, with the comma of the reader's language between them.
    package init(list parts: some Sequence<Phrase>) { body = .list(Array(parts)) }

    /// - Parameter texts: what is the same in every language.
    package init(list texts: some Sequence<String>) { self.init(list: texts.map { Phrase(verbatim: $0) }) }

    package static let empty = Phrase(verbatim: "")

    package static func + (left: Phrase, right: Phrase) -> Phrase { Phrase([left, right], separator: "") }

    package var isEmpty: Bool { english.isEmpty }

    package func said(in language: Language) -> String {
        switch body {
        case .verbatim(let text): return text
        case .joined(let parts): return parts.map { $0.said(in: language) }.joined()
        case .list(let parts): return parts.map { $0.said(in: language) }.joined(separator: language.comma)
        case .template(let template):
            let found = Catalogue.of(language)?.translation(of: template.key)
            return template.filled(found ?? template.key, language)
        case .plural(let number, let one, let other):
            if let found = Catalogue.of(language)?.translation(of: one.key, number: number, language) {
                return other.filled(found, language)
            }
            let template = number.magnitude == 1 ? one : other
            return template.filled(template.key, language)
        }
    }

    /// For logs, and for programs that ask for no language.
    package var english: String { said(in: .english) }
}

extension Phrase: CustomStringConvertible {
    package var description: String { english }
}

extension Phrase: Encodable {
    /// Under this key of an encoder's `userInfo` stands the reader's `Language`; without it English.
    package static let languageKey = CodingUserInfoKey(rawValue: "language")!

    package func encode(to encoder: any Encoder) throws {
        let language = encoder.userInfo[Self.languageKey] as? Language ?? .english
        var container = encoder.singleValueContainer()
        try container.encode(said(in: language))
    }
}
