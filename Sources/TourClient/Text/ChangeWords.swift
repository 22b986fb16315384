import TourNotebook
import TourWords

/// The changes of a shared record's version: `Changes` of the local API.
enum ChangeWords {
    /// `1 stop added, 2 moved; 3 lines removed; other title`
    static func all(_ changes: RecordDifference.Summary) -> Phrase {
        let fields = changes.fields.map(otherField)
        let all = [stops(changes), lines(changes)].compactMap(\.self) + fields
        guard let first = all.first else { return Phrase("nothing new") }
        return all.dropFirst().reduce(first) { Phrase("\($0); \($1)") }
    }

    /// Only the first number has a noun.
    private static func stops(_ changes: RecordDifference.Summary) -> Phrase? {
        list([
            count(changes.stopsAdded).map { n in
                (Phrase(n, one: "\(n) stop added", other: "\(n) stops added"), Phrase("\(n) added"))
            },
            count(changes.stopsRemoved).map { n in
                (Phrase(n, one: "\(n) stop removed", other: "\(n) stops removed"), Phrase("\(n) removed"))
            },
            count(changes.stopsMoved).map { n in
                (Phrase(n, one: "\(n) stop moved", other: "\(n) stops moved"), Phrase("\(n) moved"))
            },
            count(changes.stopsChanged).map { n in
                (Phrase(n, one: "\(n) stop changed", other: "\(n) stops changed"), Phrase("\(n) changed"))
            },
        ])
    }

    private static func lines(_ changes: RecordDifference.Summary) -> Phrase? {
        list([
            count(changes.linesAdded).map { n in
                (Phrase(n, one: "\(n) line added", other: "\(n) lines added"), Phrase("\(n) added"))
            },
            count(changes.linesRemoved).map { n in
                (Phrase(n, one: "\(n) line removed", other: "\(n) lines removed"), Phrase("\(n) removed"))
            },
        ])
    }

    private static func count(_ number: Int) -> Int? { number > 0 ? number : nil }

    private static func list(_ counts: [(first: Phrase, later: Phrase)?]) -> Phrase? {
        let known = counts.compactMap(\.self)
        guard let first = known.first else { return nil }
        return Phrase(list: [first.first] + known.dropFirst().map(\.later))
    }

    /// A field that has changed.
    private static func otherField(_ field: String) -> Phrase {
        switch field {
        case "title": Phrase("other title")
        case "url": Phrase("other address")
        case "tags": Phrase("other tags")
        default: Phrase("other \(self.field(field))")
        }
    }

    /// The user's word for a field.
    static func field(_ field: String) -> Phrase {
        switch field {
        case "title": Phrase("title")
        case "url": Phrase("address")
        case "tags": Phrase("tags")
        case "kind": Phrase("kind")
        case "note": Phrase("note")
        case "place": Phrase("place")
        case "at": Phrase("time")
        default: Phrase(verbatim: TerminalText.safe(field))
        }
    }
}
