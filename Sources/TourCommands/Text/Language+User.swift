import TourWords

extension Language {
    /// What the user's environment asks for: `LANGUAGE`, then `LC_ALL`, `LC_MESSAGES`, `LANG`. Source: POSIX.1-2017,
    /// section 8.2, and the GNU gettext manual, section 2.3.
    static let ofUser: Language = {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environmentValue($0) }.first { !$0.isEmpty }
        // Who has no locale asks for programs as they are written.
        guard let locale, locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else { return .english }
        let list = (environmentValue("LANGUAGE") ?? "").split(separator: ":").map(String.init)
        return (list + [locale]).lazy.compactMap { Language(tag: $0) }.first ?? .english
    }()
}

extension Phrase {
    /// In the user's language.
    package var text: String { said(in: .ofUser) }
}
