import HTTPTypes
import ServerBase
import ServerRequests
import TourModel
import TourNotebook
import TourPrint

/// Notes and itineraries on paper, with the server's few words in the client's language.
extension PrintDocument {
    init(note: Note, of item: NotebookItem, in language: Language) {
        self.init(
            title: note.title, details: Self.details(item, language), body: [.text(note.content)],
            language: language.rawValue)
    }

    init(_ itinerary: OpenedItinerary, in language: Language) {
        let description = itinerary.content.description.map { [Block.text($0)] } ?? []
        let stops = itinerary.stops.enumerated().map { index, listed in
            Block.entry(number: index + 1, title: listed.stop.title, lines: Self.lines(of: listed.stop))
        }
        self.init(
            title: itinerary.content.title, details: Self.details(itinerary.item, language),
            body: description + stops, language: language.rawValue)
    }

    private static func lines(of stop: Stop) -> [String] {
        let time = stop.at.map { words(seconds: $0) }
        let kind = stop.materialType == "stop" ? nil : stop.materialType
        let head = [time, kind].compactMap(\.self).joined(separator: " · ")
        return [head.isEmpty ? nil : head, stop.place.map { GeoAddress($0).text }, stop.note].compactMap(\.self)
    }

    private static func details(_ item: NotebookItem, _ language: Language) -> [String] {
        let (written, changed) =
            switch language {
            case .english: ("Written", "Changed")
            case .turkish: ("Yazıldı", "Değiştirildi")
            }
        let first = "\(written): \(words(seconds: item.createdAt))"
        guard item.updatedAt != item.createdAt else { return [first] }
        return [first, "\(changed): \(words(seconds: item.updatedAt))"]
    }

    /// `2026-06-01 08:30 UTC`.
    private static func words(seconds: Int64) -> String {
        let text = Timestamp(seconds: Int(seconds)).text
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }
}

extension Answer {
    /// - Parameter name: the file's name, without its ending, in ASCII letters, digits, `-` and `_`.
    static func pdf(_ bytes: [UInt8], name: String) -> Answer {
        Answer(
            .ok, content: .bytes(bytes, type: "application/pdf"),
            headers: [.contentDisposition: "inline; filename=\"\(name).pdf\""])
    }
}
