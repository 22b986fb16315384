import TourWords

extension Language {
    /// The language of the user's environment: `LANGUAGE`, then `LC_ALL`, `LC_MESSAGES`, `LANG`. Source:
    /// POSIX.1-2017, section 8.2, and the GNU gettext manual, section 2.3. With JSON everything is in English,
    /// whoever started the program.
    package static let ofUser: Language = {
        guard !GlobalArguments.wantsJSON(Array(CommandLine.arguments.dropFirst())) else { return .english }
        return ofEnvironment { environmentValue($0) }
    }()

    /// - Parameter environment: looks up a variable; an empty one counts as not set.
    package static func ofEnvironment(_ environment: (String) -> String?) -> Language {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
        // A user without a locale wants programs in their original language.
        guard let locale, locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else { return .english }
        let list = (environment("LANGUAGE") ?? "").split(separator: ":").map(String.init)
        return (list + [locale]).lazy.compactMap { Language(tag: $0) }.first ?? .english
    }
}

extension Phrase {
    /// In the user's language.
    package var text: String { said(in: .ofUser) }

    /// For a line that belongs to the one above it.
    package var indented: Phrase { Phrase(verbatim: "  ") + self }
}
