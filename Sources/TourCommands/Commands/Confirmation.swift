import Glibc
import TourWords

/// A yes before what cannot be undone.
enum Confirmation {
    /// A person sits at a terminal.
    static func canBeAsked(json: Bool) -> Bool { !json && isatty(0) == 1 && StandardStream.output.isTerminal }

    /// Asks where a person sits at a terminal; a script is taken at its word.
    static func isGiven(_ question: Phrase, _ output: Output) throws -> Bool {
        guard canBeAsked(json: output.json) else { return true }
        try StandardStream.output.write("\(TerminalText.safe(Phrase("\(question) [y/N]").text)) ".utf8)
        let answer = (readLine() ?? "").lowercased()
        // In English too: who knows the program from elsewhere types that.
        let consents = ["y", "yes", Phrase("y").text, Phrase("yes").text]
        guard consents.contains(answer) else {
            try output.text(Phrase("Nothing changed."))
            return false
        }
        return true
    }
}
