import TourModel
import TourNode
import TourWeb

/// A shared record as people read it, line by line.
package struct SharedRecordWords {
    private let record: JSON

    /// - Parameter record: `SharedRecord` of the local API.
    package init(_ record: JSON) { self.record = record }

    /// Safe for a terminal.
    package var lines: [String] {
        let published = Timestamp(record.shown("publishedAt"))?.dateAndTime ?? ""
        let author = TerminalText.safe(record.shown("authorName"))
        var lines = [
            "\(RecordWords.noun(record.shown("type"))) “\(safe("title"))”",
            "version \(record.shown("version")), by \(author), \(published)",
        ]
        let place = PlaceWords.of(record)
        if let place { lines.append("At \(place)") }
        if place == nil, record["url"]?.text != nil { lines.append(safe("url")) }
        let tags = record["tags"]?.list?.compactMap(\.text) ?? []
        if !tags.isEmpty { lines.append("Tags: " + TerminalText.safe(tags.joined(separator: ", "))) }
        let text = TerminalText.safe(record.shown("text"), keepsNewlines: true)
        if !text.isEmpty { lines += ["", text] }
        let stops = record["entries"]?.list ?? []
        if !stops.isEmpty { lines.append("") }
        for (index, stop) in stops.enumerated() { lines += Self.lines(of: stop, number: index + 1) }
        return lines
    }

    /// What the version changed; empty where there was none before.
    package var changeLines: [String] {
        guard let changes = record["changes"], changes != .null else { return [] }
        var lines = ["Since version \(changes.shown("since")):"]
        for field in changes["fields"]?.list ?? [] {
            let name = RecordWords.fieldName(field.shown("field"))
            lines.append("  \(name): “\(Self.safe(field, "before"))” is now “\(Self.safe(field, "now"))”")
        }
        for line in changes["lines"]?.list ?? [] {
            lines.append("  \(line.shown("change") == "added" ? "+" : "-") \(Self.safe(line, "text"))")
        }
        for stop in changes["stops"]?.list ?? [] { lines.append("  " + Self.words(of: stop)) }
        return lines.count == 1 ? lines + ["  nothing"] : lines
    }

    private func safe(_ member: String) -> String { Self.safe(record, member) }

    private static func safe(_ object: JSON, _ member: String) -> String { TerminalText.safe(object.shown(member)) }

    /// `3. Colosseum — 14:30, 41.8902,12.4922 (3fa2c1d0)`, and its note below.
    private static func lines(of stop: JSON, number: Int) -> [String] {
        let facts = [Timestamp(stop.shown("at"))?.dateAndTime, PlaceWords.of(stop)].compactMap(\.self)
        let about = facts.isEmpty ? "" : " — " + facts.joined(separator: ", ")
        let line = "\(number). \(safe(stop, "title"))\(about) (\(safe(stop, "id").prefix(8)))"
        guard let note = stop["note"]?.text else { return [line] }
        let indent = "   "
        return [line]
            + TerminalText.safe(note, keepsNewlines: true).split(separator: "\n", omittingEmptySubsequences: false)
            .map { indent + $0 }
    }

    private static func words(of change: JSON) -> String {
        let title = safe(change, "title")
        switch change.shown("change") {
        case "added": return "+ \(change.shown("to")). \(title)"
        case "removed": return "- \(title) (was \(change.shown("from")).)"
        case "moved": return "> \(title): from \(change.shown("from")). to \(change.shown("to"))."
        default:
            let fields = change["fields"]?.list?.compactMap(\.text).map(RecordWords.fieldName) ?? []
            return "* \(change.shown("to")). \(title): other \(TerminalText.safe(fields.joined(separator: ", ")))"
        }
    }
}
