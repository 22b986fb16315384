import Glibc

/// A yes before what cannot be undone.
enum Confirmation {
    /// A person sits at a terminal.
    static func canBeAsked(json: Bool) -> Bool { !json && isatty(0) == 1 && StandardStream.output.isTerminal }

    /// Asks where a person sits at a terminal; a script is taken at its word.
    static func isGiven(_ question: String, _ output: Output) throws -> Bool {
        guard canBeAsked(json: output.json) else { return true }
        try StandardStream.output.write("\(TerminalText.safe(question)) [y/N] ".utf8)
        let answer = readLine() ?? ""
        guard ["y", "yes"].contains(answer.lowercased()) else {
            try output.text("Nothing changed.")
            return false
        }
        return true
    }
}
