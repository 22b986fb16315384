import Glibc
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
        let stops = (itinerary["stops"]?.list ?? []).enumerated().map { index, stop in
            entry(index + 1, stop, place: stop["place"]?.text)
        }
        return PrintDocument(
            title: itinerary.shown("title"), details: details([moment(itinerary.shown("updated_at"))]),
            body: text(itinerary.shown("description")) + stops, language: language)
    }

    /// - Parameter record: of the local API.
    package static func shared(_ record: JSON, language: String? = nil) -> PrintDocument {
        let stops = (record["entries"]?.list ?? []).enumerated().map { index, stop in
            entry(index + 1, stop, place: place(of: stop))
        }
        return PrintDocument(
            title: record.shown("title"),
            details: details([record.shown("authorName"), moment(record.shown("publishedAt"))]),
            body: text(record.shown("url")) + text(record.shown("text")) + stops, language: language)
    }

    private static func entry(_ number: Int, _ stop: JSON, place: String?) -> PrintDocument.Block {
        let lines = [moment(stop.shown("at")), place ?? ""].filter { !$0.isEmpty }
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
        guard let timestamp = Timestamp(text) else { return "" }
        var (seconds, parts) = (timestamp.seconds, tm())
        localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
