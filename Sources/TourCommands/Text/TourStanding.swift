import TourWords

/// The state of a tour for this node, in words. The states: `Protocol/Schema/local-api.yaml`, `TourState`.
package enum TourStanding {
    /// The state in which messages can be written.
    package static let active = "active"

    /// For a table.
    package static func word(_ state: String) -> Phrase {
        switch state {
        case active: Phrase("active")
        case "closed": Phrase("closed")
        case "left": Phrase("left")
        case "removed": Phrase("removed")
        case "key-forked": Phrase("key forked")
        case "key-retired": Phrase("key given up")
        default: Phrase(verbatim: TerminalText.safe(state))
        }
    }

    /// For a user who wants to write and cannot.
    package static func sentence(_ state: String) -> Phrase {
        switch state {
        case "closed": Phrase("closed")
        case "left": Phrase("you left")
        case "removed": Phrase("you were removed")
        case "key-forked": Phrase("another device has your key")
        case "key-retired": Phrase("you gave your key up")
        default: Phrase(verbatim: TerminalText.safe(state))
        }
    }
}
