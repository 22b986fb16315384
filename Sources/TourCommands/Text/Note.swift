import TourWeb

/// A word of the node between the messages: who came and went, and what became of our own part in the tour.
package struct Note: Hashable, Sendable {
    /// Safe for a terminal.
    package let text: String
    /// How the tour stands for this node now.
    package let state: String

    /// - Returns: nil for an object that is no note.
    package init?(_ json: JSON) {
        guard let note = json["note"], let text = note["text"]?.text, let state = note["state"]?.text else {
            return nil
        }
        self.text = TerminalText.safe(text)
        self.state = state
    }
}
