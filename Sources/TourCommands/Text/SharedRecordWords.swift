import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// A shared record as people read it, line by line.
package struct SharedRecordWords {
    private let record: JSON

    /// - Parameter record: `SharedRecord` of the local API.
    package init(_ record: JSON) { self.record = record }

    /// Safe for a terminal.
    package var lines: [Phrase] {
        let published = Timestamp(record.shown("publishedAt"))?.dateAndTime ?? ""
        var lines = [
            RecordWords.name(record.shown("type"), safe("title")),
            Phrase("version \(safe("version")), by \(safe("authorName")), \(published)"),
        ]
        let place = PlaceWords.of(record)
        if let place { lines.append(Phrase("At \(place)")) }
        if place == nil, record["url"]?.text != nil { lines.append(Phrase(verbatim: safe("url"))) }
        let tags = record["tags"]?.list?.compactMap(\.text) ?? []
        if !tags.isEmpty { lines.append(Phrase("Tags: \(Phrase(list: tags.map { TerminalText.safe($0) }))")) }
        let text = TerminalText.safe(record.shown("text"), keepsNewlines: true)
        if !text.isEmpty { lines += [.empty, Phrase(verbatim: text)] }
        let stops = record["entries"]?.list ?? []
        if !stops.isEmpty { lines.append(.empty) }
        for (index, stop) in stops.enumerated() { lines += Self.lines(of: stop, number: index + 1) }
        return lines
    }

    /// The changes of the version; empty where there was none before.
    package var changeLines: [Phrase] {
        guard let changes = record["changes"], changes != .null else { return [] }
        let fields = (changes["fields"]?.list ?? []).map { field in
            let name = ChangeWords.field(field.shown("field"))
            return Phrase("\(name): “\(Self.safe(field, "before"))” is now “\(Self.safe(field, "now"))”")
        }
        let lines = (changes["lines"]?.list ?? []).map { line in
            Phrase(verbatim: "\(line.shown("change") == "added" ? "+" : "-") \(Self.safe(line, "text"))")
        }
        let news = fields + lines + (changes["stops"]?.list ?? []).map { Self.words(of: $0) }
        return [Phrase("Since version \(Self.safe(changes, "since")):")]
            + (news.isEmpty ? [Phrase("nothing")] : news).map(\.indented)
    }

    private func safe(_ member: String) -> String { Self.safe(record, member) }

    private static func safe(_ object: JSON, _ member: String) -> String { TerminalText.safe(object.shown(member)) }

    /// `3. Colosseum — 14:30, 41.8902,12.4922 (3fa2c1d0)`, with its note below.
    private static func lines(of stop: JSON, number: Int) -> [Phrase] {
        let time = Timestamp(stop.shown("at")).map { Phrase(verbatim: $0.dateAndTime) }
        let facts = [time, PlaceWords.of(stop)].compactMap(\.self)
        let title = safe(stop, "title")
        let id = safe(stop, "id").prefix(8)
        let line =
            facts.isEmpty
            ? Phrase(verbatim: "\(number). \(title) (\(id))")
            : Phrase("\(number). \(title) — \(Phrase(list: facts)) (\(id))")
        guard let note = stop["note"]?.text else { return [line] }
        return [line]
            + TerminalText.safe(note, keepsNewlines: true).split(separator: "\n", omittingEmptySubsequences: false)
            .map { Phrase(verbatim: "   \($0)") }
    }

    private static func words(of change: JSON) -> Phrase {
        let title = safe(change, "title")
        let (from, to) = (safe(change, "from"), safe(change, "to"))
        switch change.shown("change") {
        case "added": return Phrase(verbatim: "+ \(to). \(title)")
        case "removed": return Phrase("- \(title) (was \(from).)")
        case "moved": return Phrase("> \(title): from \(from). to \(to).")
        default:
            let fields = change["fields"]?.list?.compactMap(\.text).map(ChangeWords.field) ?? []
            return Phrase("* \(to). \(title): other \(Phrase(list: fields))")
        }
    }
}
