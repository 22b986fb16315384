/// Words for a person, in the reader's language: the code contains the English words, which are the key of their
/// translations in `Sources/CWords/catalogues`.
///
/// ```
/// Phrase("No tour here is called “\(name)”.")
/// Phrase(links, one: "\(links) link", other: "\(links) links")
/// ```
///
/// Text is always a literal between these parentheses, since `Scripts/words` collects the keys from there. An
/// interpolated value stays as it is, except a phrase, which is translated too.
package struct Phrase: Hashable, Sendable {
    private enum Body: Hashable, Sendable {
        case verbatim(String)
        case template(Template)
        case plural(Int, one: Template, other: Template)
        case joined([Phrase])
        case list([Phrase])
    }

    private let body: Body

    /// Words without a number.
    package init(_ template: Template) { body = .template(template) }

    /// Words with a number. Both forms interpolate the same values in the same order.
    package init(_ number: Int, one: Template, other: Template) { body = .plural(number, one: one, other: other) }

    /// Text that is the same in every language: names, addresses, numbers, people's own words.
    package init(verbatim text: some StringProtocol) { body = .verbatim(String(text)) }

    /// - Parameter separator: the same in every language.
    package init(_ parts: some Sequence<Phrase>, separator: String) {
        let between = Phrase(verbatim: separator)
        body = .joined(Array(parts.flatMap { [between, $0] }.dropFirst()))
    }

    /// One after the other, with the comma of the reader's language between them.
    package init(list parts: some Sequence<Phrase>) { body = .list(Array(parts)) }

    /// - Parameter texts: the same in every language.
    package init(list texts: some Sequence<String>) { self.init(list: texts.map { Phrase(verbatim: $0) }) }

    /// No words.
    package static let empty = Phrase(verbatim: "")

    /// Both phrases, without a space between them.
    package static func + (left: Phrase, right: Phrase) -> Phrase { Phrase([left, right], separator: "") }

    /// Whether there are no words.
    package var isEmpty: Bool { english.isEmpty }

    /// The words in this language; in English where a translation is missing.
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

    /// For logs, and for programs that request no language.
    package var english: String { said(in: .english) }
}

extension Phrase: CustomStringConvertible {
    package var description: String { english }
}
