/// How a tour stands for this node, in words. The states: `Protocol/Schema/local-api.yaml`, `TourState`.
package enum TourStanding {
    package static let active = "active"

    /// For a table.
    package static func word(_ state: String) -> String {
        switch state {
        case "key-forked": "key forked"
        case "key-retired": "key given up"
        default: TerminalText.safe(state)
        }
    }

    /// For somebody who wants to write and cannot.
    package static func sentence(_ state: String) -> String {
        switch state {
        case "closed": "closed"
        case "left": "you left"
        case "removed": "you were removed"
        case "key-forked": "another device has your key"
        case "key-retired": "you gave your key up"
        default: TerminalText.safe(state)
        }
    }
}
