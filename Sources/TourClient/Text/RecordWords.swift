import TourAPI
import TourNotebook
import TourWords

extension Message {
    /// A version of a shared record on one line, safe for a terminal: `Itinerary “Day 2”, version 3: 1 stop added, 1
    /// moved`. Nil for a message of another type.
    var record: Phrase? {
        guard let shared = metadata.shared else { return nil }
        let name = RecordWords.name(type, TerminalText.safe(content))
        guard !shared.isTakenBack else { return Phrase("\(name) is no longer shared") }
        let numbered = shared.version > 1 ? Phrase("\(name), version \(Int(shared.version))") : name
        if let changes = shared.changes { return Phrase("\(numbered): \(ChangeWords.all(changes))") }
        return shared.facts.map { Phrase("\(numbered): \($0)") } ?? numbered
    }
}

extension Message.Shared {
    fileprivate var facts: Phrase? {
        if let stops { return Phrase(stops, one: "\(stops) stop", other: "\(stops) stops") }
        if let place { return PlaceWords.of(place) }
        return url.map { Phrase(verbatim: TerminalText.safe($0)) }
    }
}

/// The words about shared records.
package enum RecordWords {
    /// The record's kind and title, for the beginning of a line.
    package static func name(_ type: String, _ title: String) -> Phrase {
        switch type {
        case "note": Phrase("Note “\(title)”")
        case "place": Phrase("Place “\(title)”")
        default: Phrase("Itinerary “\(title)”")
        }
    }
}
