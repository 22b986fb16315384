import ArgumentParser
import TourWords

// Phrases for the parser of command lines, in the user's language.
extension ArgumentHelp {
    /// In the user's language.
    package init(_ words: Phrase, valueName: String? = nil) { self.init(words.text, valueName: valueName) }
}

extension ValidationError {
    /// In the user's language.
    package init(_ words: Phrase) { self.init(words.text) }
}
