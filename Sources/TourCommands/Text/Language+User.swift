import TourWords

extension Language {
    /// What the user's environment asks for: `LANGUAGE`, then `LC_ALL`, `LC_MESSAGES`, `LANG`. Source: POSIX.1-2017,
    /// section 8.2, and the GNU gettext manual, section 2.3. A program that asks for JSON is told everything in
    /// English, whoever has started it.
    package static let ofUser: Language = {
        guard !GlobalArguments.wantsJSON(Array(CommandLine.arguments.dropFirst())) else { return .english }
        return ofEnvironment { environmentValue($0) }
    }()

    /// - Parameter environment: looks up a variable; an empty one counts as not set.
    package static func ofEnvironment(_ environment: (String) -> String?) -> Language {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
        // Who has no locale asks for programs as they are written.
        guard let locale, locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else { return .english }
        let list = (environment("LANGUAGE") ?? "").split(separator: ":").map(String.init)
        return (list + [locale]).lazy.compactMap { Language(tag: $0) }.first ?? .english
    }
}

extension Phrase {
    /// In the user's language.
    package var text: String { said(in: .ofUser) }

    /// For a line that belongs to the one above.
    var indented: Phrase { Phrase(verbatim: "  ") + self }
}
