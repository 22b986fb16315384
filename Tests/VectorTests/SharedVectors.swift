import Testing
import TourModel
import TourWire

/// `shared.json`.
enum SharedVectors {
    static func shared(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "content": return try content(vector)
        case "record": return try record(vector)
        default: throw VectorCase.Missing(field: "a kind of case")
        }
    }

    private static func content(_ vector: VectorCase) throws -> String? {
        let plaintext = try vector.packed("plaintext")
        let content: Content
        do { content = try Content(decoding: plaintext) } catch { return error.code }
        #expect(try content.eventClass == EventClass(rawValue: UInt8(vector.count("class"))))
        #expect(content.encode() == plaintext)
        return nil
    }

    /// All parts of a version, each as the content of its event.
    private static func record(_ vector: VectorCase) throws -> String? {
        let plaintexts = try vector.list("parts").map { part -> [UInt8] in
            guard case .list(let pieces) = part else { throw VectorCase.Missing(field: "parts") }
            return try VectorCase.unpacked(pieces)
        }
        let parts = try plaintexts.map { plaintext -> SharedPart in
            guard case .shared(let part) = try Content(decoding: plaintext) else {
                throw VectorCase.Missing(field: "a part")
            }
            return part
        }
        let record: SharedRecord
        do { record = try SharedRecord(parts: parts) } catch { return error.code }
        try check(record, vector)
        let first = try #require(parts.first)
        let again = try #require(record.parts(of: first.record, version: first.version))
        #expect(again.map { Content.shared($0).encode() } == plaintexts)
        return nil
    }

    private static func check(_ record: SharedRecord, _ vector: VectorCase) throws {
        #expect(try record.title == "Day 2" && record.kind.word == vector.text("type"))
        let text = try String(
            repeating: vector.text("text"), count: vector.has("times") ? vector.count("times") : 1)
        switch record.content {
        case .note(let said): #expect(said == text)
        case .place(let place):
            #expect(try place.note == text && place.url == vector.text("url"))
            #expect(try place.tags == texts(vector.list("tags")))
        case .itinerary(let itinerary):
            #expect((itinerary.description ?? "") == text)
            if vector.has("stopTitles") {
                #expect(try itinerary.stops.map(\.title) == texts(vector.list("stopTitles")))
            } else {
                #expect(try itinerary.stops == vector.cases("stops").map(stop))
            }
        }
    }

    private static func stop(_ fields: VectorCase) throws -> SharedStop {
        var place: Coordinate?
        if fields.has("latitude") {
            place = try Coordinate(
                latitude: Int32(fields.signed("latitude")), longitude: Int32(fields.signed("longitude")))
        }
        return SharedStop(
            id: try #require(NotebookID(fields.bytes("id"))), title: try fields.text("title"),
            kind: try fields.text("kind"), note: fields.has("note") ? try fields.text("note") : nil, place: place,
            at: fields.has("at") ? try fields.signed("at") : nil)
    }

    private static func texts(_ values: [VectorValue]) throws -> [String] {
        try values.map {
            guard case .text(let text) = $0 else { throw VectorCase.Missing(field: "a text") }
            return text
        }
    }
}
