import ArgumentParser
import TourWords

// Words for the parser of command lines, which shows what it is given.
extension ArgumentHelp {
    init(_ words: Phrase, valueName: String? = nil) { self.init(words.text, valueName: valueName) }
}

extension ValidationError {
    init(_ words: Phrase) { self.init(words.text) }
}
