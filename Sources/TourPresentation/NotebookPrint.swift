import TourJSON
import TourModel
import TourPrint

/// Printed documents of notebook items and of records shared in a tour, made from answers of the local API. Contains
/// no words of the program's own.
package enum NotebookPrint {
    /// - Parameter note: of the local API.
    /// - Parameter language: of most of the text, if known.
    package static func note(_ note: JSON, language: String? = nil) -> PrintDocument {
        PrintDocument(
            title: note.shown("title"), details: details([moment(note.shown("updated_at"))]),
            body: [.text(note.shown("content"))], language: language)
    }

    /// - Parameter itinerary: of the local API, with its stops.
    package static func itinerary(_ itinerary: JSON, language: String? = nil) -> PrintDocument {
        let stops = programme(itinerary["stops"]?.list ?? []) { $0["place"]?.text }
        return PrintDocument(
            title: itinerary.shown("title"), details: details([moment(itinerary.shown("updated_at"))]),
            body: text(itinerary.shown("description")) + stops, language: language)
    }

    /// - Parameter record: of the local API.
    package static func shared(_ record: JSON, language: String? = nil) -> PrintDocument {
        let stops = programme(record["entries"]?.list ?? []) { place(of: $0) }
        return PrintDocument(
            title: record.shown("title"),
            details: details([record.shown("authorName"), moment(record.shown("publishedAt"))]),
            body: text(record.shown("url")) + text(record.shown("text")) + stops, language: language)
    }

    /// The stops in the order of their times, each day under its date; a stop without a time stays behind the one
    /// before it.
    private static func programme(_ stops: [JSON], place: (JSON) -> String?) -> [PrintDocument.Block] {
        var last = Int.min
        let timed = stops.enumerated().map { index, stop in
            let at = Timestamp(stop.shown("at"))
            last = at?.seconds ?? last
            return (sort: last, index: index, at: at.map { LocalMoment($0) }, stop: stop)
        }.sorted { ($0.sort, $0.index) < ($1.sort, $1.index) }
        var blocks: [PrintDocument.Block] = []
        var day: String?
        for (number, one) in timed.enumerated() {
            if let now = one.at?.day, now != day {
                blocks.append(.heading(now))
                day = now
            }
            blocks.append(entry(number + 1, one.stop, time: one.at?.time, place: place(one.stop)))
        }
        return blocks
    }

    private static func entry(_ number: Int, _ stop: JSON, time: String?, place: String?) -> PrintDocument.Block {
        let lines = [time ?? "", place ?? ""].filter { !$0.isEmpty }
        let note = stop.shown("note").split(separator: "\n").map { String($0) }
        return .entry(number: number, title: stop.shown("title"), lines: lines + note)
    }

    private static func place(of stop: JSON) -> String? {
        let (north, east) = (stop.shown("latitude"), stop.shown("longitude"))
        return north.isEmpty || east.isEmpty ? nil : "geo:\(north),\(east)"
    }

    private static func text(_ text: String) -> [PrintDocument.Block] {
        text.allSatisfy(\.isWhitespace) ? [] : [.text(text)]
    }

    private static func details(_ parts: [String]) -> [String] {
        let known = parts.filter { !$0.isEmpty }
        return known.isEmpty ? [] : [known.joined(separator: " · ")]
    }

    /// In local time; empty for a text that is no moment.
    private static func moment(_ text: String) -> String {
        Timestamp(text).map { LocalMoment($0).text } ?? ""
    }
}
