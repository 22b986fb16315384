import Glibc
import TourWords

/// A yes before an act that cannot be undone.
package enum Confirmation {
    /// Whether a user sits at a terminal.
    package static func canBeAsked(json: Bool) -> Bool { !json && isatty(0) == 1 && StandardStream.output.isTerminal }

    /// Asks where a user sits at a terminal; elsewhere a script needs no confirmation.
    static func isGiven(_ question: Phrase, _ output: Output) throws -> Bool {
        guard canBeAsked(json: output.json) else { return true }
        try StandardStream.output.write("\(TerminalText.safe(Phrase("\(question) [y/N]").text)) ".utf8)
        let answer = (readLine() ?? "").lowercased()
        // Also in English, since users may know the program in that language.
        let consents = ["y", "yes", Phrase("y").text, Phrase("yes").text]
        guard consents.contains(answer) else {
            try output.text(Phrase("Nothing changed."))
            return false
        }
        return true
    }
}
