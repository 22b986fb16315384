/// A language of the command line and of the node's own words.
package enum Language: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case turkish = "tr"
    case german = "de"
    case spanish = "es"
    case french = "fr"
    case arabic = "ar"
    case japanese = "ja"

    /// - Parameter tag: a locale's name or a language tag: `tr_TR.UTF-8`, `de-AT`, `ja`.
    /// - Returns: nil for a language without a catalogue, and for `C` and `POSIX`.
    package init?(tag: some StringProtocol) {
        let first = tag.lowercased().prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
        self.init(rawValue: String(first))
    }

    /// The language with a catalogue that a client prefers; English if there is none.
    /// - Parameter acceptLanguage: the header's value. Source: RFC 9110 section 12.5.4.
    package init(acceptLanguage: String) {
        let ranges = acceptLanguage.split(separator: ",").prefix(Self.rangesMax).map(Range.init)
        let known = ranges.filter { $0.weight > 0 && $0.language != nil }
        // Of ranges with equal weight the first counts.
        let best = known.reduce(known.first) { best, range in
            range.weight > best?.weight ?? 0 ? range : best
        }
        self = best?.language ?? .english
    }

    /// A header may be long; further ranges are ignored.
    private static let rangesMax = 16

    /// `de-AT;q=0.8`
    private struct Range {
        var language: Language?
        var weight: Double

        init(_ text: Substring) {
            let parts = text.split(separator: ";").map { $0.drop { $0 == " " } }
            language = parts.first.flatMap { Language(tag: $0) }
            weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
        }
    }

    /// The separator between the items of a list.
    package var comma: String {
        switch self {
        case .arabic: "، "
        case .japanese: "、"
        case .english, .turkish, .german, .spanish, .french: ", "
        }
    }

    /// How many forms a noun has with numbers. Source: Unicode CLDR, plural rules for cardinals.
    package var pluralForms: Int {
        switch self {
        case .turkish, .japanese: 1
        case .english, .german, .spanish, .french: 2
        case .arabic: 6
        }
    }

    /// The index of the form for this number, from 0. Source: as for `pluralForms`, in the order zero, one, two, few,
    /// many, other.
    package func pluralForm(of number: Int) -> Int {
        let number = number.magnitude
        switch self {
        case .turkish, .japanese: return 0
        case .english, .german, .spanish: return number == 1 ? 0 : 1
        case .french: return number < 2 ? 0 : 1
        case .arabic:
            switch (number, number % 100) {
            case (0...2, _): return Int(number)
            case (_, 3...10): return 3
            case (_, 11...99): return 4
            default: return 5
            }
        }
    }
}
