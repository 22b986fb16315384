import TourAPI
import TourModel
import TourWords

/// A shared record as people read it, line by line.
package struct SharedRecordWords {
    private let record: SharedRecordView

    package init(_ record: SharedRecordView) { self.record = record }

    /// Safe for a terminal.
    package var lines: [Phrase] {
        let summary = record.summary
        let published = Timestamp(summary.publishedAt)?.dateAndTime ?? ""
        var lines = [
            RecordWords.name(summary.type, TerminalText.safe(summary.title)),
            Phrase("version \(String(summary.version)), by \(TerminalText.safe(summary.authorName)), \(published)"),
        ]
        let place = record.place.map { PlaceWords.of($0) }
        if let place { lines.append(Phrase("At \(place)")) }
        if place == nil, let url = record.url { lines.append(Phrase(verbatim: TerminalText.safe(url))) }
        if !record.tags.isEmpty {
            lines.append(Phrase("Tags: \(Phrase(list: record.tags.map { TerminalText.safe($0) }))"))
        }
        let text = TerminalText.safe(record.text, keepsNewlines: true)
        if !text.isEmpty { lines += [.empty, Phrase(verbatim: text)] }
        if !record.stops.isEmpty { lines.append(.empty) }
        for (index, stop) in record.stops.enumerated() { lines += Self.lines(of: stop, number: index + 1) }
        return lines
    }

    /// The changes of the version; empty where there was none before.
    package var changeLines: [Phrase] {
        guard let changes = record.changes else { return [] }
        let fields = changes.fields.map { field in
            let name = ChangeWords.field(field.field)
            return Phrase("\(name): “\(TerminalText.safe(field.before))” is now “\(TerminalText.safe(field.now))”")
        }
        let lines = changes.lines.map { line in
            Phrase(verbatim: "\(line.change == "added" ? "+" : "-") \(TerminalText.safe(line.text))")
        }
        let news = fields + lines + changes.stops.map { Self.words(of: $0) }
        return [Phrase("Since version \(String(changes.since)):")]
            + (news.isEmpty ? [Phrase("nothing")] : news).map(\.indented)
    }

    /// `3. Colosseum — 14:30, 41.8902,12.4922 (3fa2c1d0)`, with its note below.
    private static func lines(of stop: SharedRecordView.StopView, number: Int) -> [Phrase] {
        let time = stop.at.flatMap { Timestamp($0) }.map { Phrase(verbatim: $0.dateAndTime) }
        let facts = [time, stop.place.map { PlaceWords.of($0) }].compactMap(\.self)
        let title = TerminalText.safe(stop.title)
        let id = TerminalText.safe(stop.id).prefix(8)
        let line =
            facts.isEmpty
            ? Phrase(verbatim: "\(number). \(title) (\(id))")
            : Phrase("\(number). \(title) — \(Phrase(list: facts)) (\(id))")
        guard let note = stop.note else { return [line] }
        return [line]
            + TerminalText.safe(note, keepsNewlines: true).split(separator: "\n", omittingEmptySubsequences: false)
            .map { Phrase(verbatim: "   \($0)") }
    }

    private static func words(of change: SharedChangesView.StopChange) -> Phrase {
        let title = TerminalText.safe(change.title)
        let (from, to) = (change.from.map { "\($0)" } ?? "", change.to.map { "\($0)" } ?? "")
        switch change.change {
        case "added": return Phrase(verbatim: "+ \(to). \(title)")
        case "removed": return Phrase("- \(title) (was \(from).)")
        case "moved": return Phrase("> \(title): from \(from). to \(to).")
        default:
            return Phrase("* \(to). \(title): other \(Phrase(list: change.fields.map(ChangeWords.field)))")
        }
    }
}
