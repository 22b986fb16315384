import TourJSON
import TourWeb

/// A notice of the node between the messages: joins and leaves, and changes of our own membership.
package struct Note: Hashable, Sendable {
    /// Safe for a terminal.
    package let text: String
    /// The state of the tour for this node now.
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
