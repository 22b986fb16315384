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

extension CommandConfiguration {
    /// In the user's language.
    package init(
        commandName: String, abstract: Phrase, discussion: Phrase = .empty,
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        self.init(
            commandName: commandName, abstract: abstract.text, discussion: discussion.text, subcommands: subcommands,
            defaultSubcommand: defaultSubcommand)
    }
}
