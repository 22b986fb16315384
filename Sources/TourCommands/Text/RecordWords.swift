import TourNode
import TourWeb

/// A version of a shared record, as messages tell of it: `Itinerary “Day 2”, version 3: 1 stop added, 1 moved`.
package struct RecordWords: Hashable, Sendable {
    /// On one line, safe for a terminal.
    package let text: String

    /// - Parameter message: `Message` of the local API.
    /// - Returns: nil for a message of another type.
    package init?(_ message: JSON) {
        let type = message.shown("type")
        guard ["note", "place", "itinerary"].contains(type), let metadata = message["metadata"] else { return nil }
        let name = "\(Self.noun(type)) “\(TerminalText.safe(message.shown("content")))”"
        guard metadata["takenBack"]?.flag != true else {
            text = name + " is no longer shared"
            return
        }
        let version = metadata["version"]?.integer ?? 1
        let numbered = version > 1 ? "\(name), version \(version)" : name
        guard let changes = metadata["changes"] else {
            let facts = Self.facts(metadata)
            text = facts.isEmpty ? numbered : "\(numbered): \(facts)"
            return
        }
        text = "\(numbered): \(Self.words(changes))"
    }

    /// What the record is, at the beginning of a line.
    package static func noun(_ type: String) -> String {
        switch type {
        case "note": "Note"
        case "place": "Place"
        default: "Itinerary"
        }
    }

    private static func facts(_ metadata: JSON) -> String {
        if let stops = metadata["stops"]?.integer { return counted(stops, "stop") }
        return PlaceWords.of(metadata) ?? TerminalText.safe(metadata.shown("url"))
    }

    /// `1 stop added, 2 moved; 3 lines removed; other title`
    /// - Parameter changes: `Changes` of the local API.
    package static func words(_ changes: JSON) -> String {
        let stops = [
            ("stopsAdded", "added"), ("stopsRemoved", "removed"), ("stopsMoved", "moved"), ("stopsChanged", "changed"),
        ]
        let lines = [("linesAdded", "added"), ("linesRemoved", "removed")]
        let groups = [phrase(changes, stops, "stop"), phrase(changes, lines, "line")].filter { !$0.isEmpty }
        let fields = changes["fields"]?.list?.compactMap(\.text).map { "other \(fieldName($0))" } ?? []
        let all = groups + fields
        return all.isEmpty ? "nothing new" : all.joined(separator: "; ")
    }

    /// The noun stands with the first number only.
    private static func phrase(_ changes: JSON, _ kinds: [(key: String, word: String)], _ noun: String) -> String {
        let counts = kinds.compactMap { kind -> (Int, String)? in
            guard let count = changes[kind.key]?.integer, count > 0 else { return nil }
            return (count, kind.word)
        }
        return counts.enumerated().map { index, pair in
            index == 0 ? "\(counted(pair.0, noun)) \(pair.1)" : "\(pair.0) \(pair.1)"
        }.joined(separator: ", ")
    }

    /// A field as people call it.
    static func fieldName(_ field: String) -> String {
        switch field {
        case "url": "address"
        case "at": "time"
        default: field
        }
    }
}
