import TourAPI

extension WordedNote {
    /// Its words, safe for a terminal.
    package var shown: String { TerminalText.safe(text) }
}
