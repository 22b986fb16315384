import TourDesktop
import TourWords

extension DesktopEntry.Comment {
    /// What this program is for, in every language that it speaks.
    package static var ofProgram: Self {
        let about = Phrase("Chat with your tour group, with no internet")
        let translations = Language.allCases.filter { $0 != .english && about.said(in: $0) != about.english }
        return Self(plain: about.english, translations: translations.map { ($0.rawValue, about.said(in: $0)) })
    }
}
