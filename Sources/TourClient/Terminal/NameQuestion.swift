import TourAPI
import TourPresentation
import TourWords

/// Asks for the user's name before others see it.
package enum NameQuestion {
    /// Asked before the user enters a tour: without a name the words of the key would be shown there.
    /// - Parameter option: the option that gives the name where nobody can be asked.
    /// - Returns: the name to set; nil where the node has one.
    /// - Throws: `name-needed` where there is none and nobody to ask.
    static func answer(option: String, _ client: LocalClient, _ output: Output) async throws -> String? {
        guard try await client.status().name.isEmpty else { return nil }
        guard Confirmation.canBeAsked(json: output.json), let name = try ask() else {
            throw CommandFailure.nameNeeded(option: option)
        }
        return name
    }

    /// Asks until the answer is a valid name.
    /// - Returns: nil at the end of the input.
    package static func ask() throws -> String? {
        let suggestion = environmentValue("USER") ?? ""
        while true {
            let question =
                suggestion.isEmpty
                ? Phrase("Your name, as the others will see it:")
                : Phrase("Your name, as the others will see it [\(TerminalText.safe(suggestion))]:")
            try StandardStream.output.write("\(question.text) ".utf8)
            guard let line = readLine() else { return nil }
            let answer = line.isEmpty ? suggestion : line
            do {
                try NameRule.check(answer)
                return answer
            } catch {
                try StandardStream.output.line("  \(error)")
            }
        }
    }
}

extension CommandFailure {
    /// - Parameter option: the option that gives the name: `--name`.
    package static func nameNeeded(option: String) -> CommandFailure {
        CommandFailure(
            code: "name-needed", message: Phrase("you have no name yet that the others could see"),
            advice: .sayName(option: option))
    }
}
