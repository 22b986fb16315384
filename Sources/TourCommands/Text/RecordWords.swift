import TourJSON
import TourNode
import TourWeb
import TourWords

/// A version of a shared record, as messages show it: `Itinerary “Day 2”, version 3: 1 stop added, 1 moved`.
package struct RecordWords: Hashable, Sendable {
    /// On one line, safe for a terminal.
    package let words: Phrase

    /// - Parameter message: `Message` of the local API.
    /// - Returns: nil for a message of another type.
    package init?(_ message: JSON) {
        let type = message.shown("type")
        guard ["note", "place", "itinerary"].contains(type), let metadata = message["metadata"] else { return nil }
        let name = Self.name(type, TerminalText.safe(message.shown("content")))
        guard metadata["takenBack"]?.flag != true else {
            words = Phrase("\(name) is no longer shared")
            return
        }
        let version = metadata["version"]?.integer ?? 1
        let numbered = version > 1 ? Phrase("\(name), version \(version)") : name
        if let changes = metadata["changes"] {
            words = Phrase("\(numbered): \(ChangeWords.all(changes))")
        } else if let facts = Self.facts(metadata) {
            words = Phrase("\(numbered): \(facts)")
        } else {
            words = numbered
        }
    }

    /// The record's kind and title, for the beginning of a line.
    package static func name(_ type: String, _ title: String) -> Phrase {
        switch type {
        case "note": Phrase("Note “\(title)”")
        case "place": Phrase("Place “\(title)”")
        default: Phrase("Itinerary “\(title)”")
        }
    }

    private static func facts(_ metadata: JSON) -> Phrase? {
        if let stops = metadata["stops"]?.integer {
            return Phrase(stops, one: "\(stops) stop", other: "\(stops) stops")
        }
        if let place = PlaceWords.of(metadata) { return place }
        let address = TerminalText.safe(metadata.shown("url"))
        return address.isEmpty ? nil : Phrase(verbatim: address)
    }
}
