import Testing
import TourAPI
import TourClient
import TourJSON
import TourWords

/// Goal: what is shared, and what a version changed, reads as it is, and nothing that somebody wrote drives a terminal.
/// Method: answers of the local API, as tables.
struct RecordWordsTests {
    private static func message(_ type: String, _ title: String, _ metadata: JSON) throws -> Message {
        try answered(Message.self, ["id": "7", "type": .text(type), "content": .text(title), "metadata": metadata])
    }

    private static func changes(_ members: [String: Int], fields: [JSON] = []) -> JSON {
        let names = ["stopsAdded", "stopsRemoved", "stopsMoved", "stopsChanged", "linesAdded", "linesRemoved"]
        let counts = names.map { JSONMember(name: $0, value: .number(String(members[$0] ?? 0))) }
        return .object(counts + [JSONMember(name: "fields", value: .list(fields))])
    }

    @Test func messagesTellWhatIsNew() throws {
        let moved = Self.changes(["stopsAdded": 1, "stopsMoved": 1])
        let all = Self.changes(
            ["stopsRemoved": 2, "stopsChanged": 3, "linesAdded": 1, "linesRemoved": 4], fields: ["title", "url"])
        let cases: [(String, JSON, String)] = [
            ("itinerary", ["version": 1, "stops": 12], "Itinerary “Day 2”: 12 stops"),
            (
                "itinerary", ["version": 3, "stops": 13, "changes": moved],
                "Itinerary “Day 2”, version 3: 1 stop added, 1 moved"
            ),
            (
                "itinerary", ["version": 4, "stops": 11, "changes": all],
                "Itinerary “Day 2”, version 4: 2 stops removed, 3 changed; 1 line added, 4 removed; other title; "
                    + "other address"
            ),
            ("itinerary", ["version": 5, "changes": Self.changes([:])], "Itinerary “Day 2”, version 5: nothing new"),
            ("note", ["version": 1], "Note “Day 2”"),
            ("note", ["version": 2, "takenBack": true], "Note “Day 2” is no longer shared"),
            (
                "place", ["version": 1, "url": "geo:1.5,2", "latitude": .number("1.5"), "longitude": .number("2")],
                "Place “Day 2”: 1.5,2"
            ),
            ("place", ["version": 1, "url": "https://museum.example"], "Place “Day 2”: https://museum.example"),
        ]
        for (type, metadata, expected) in cases {
            #expect(try Self.message(type, "Day 2", metadata).body.english == expected)
        }
    }

    @Test func whatSomebodyWroteDrivesNoTerminal() throws {
        let message = try Self.message("note", "\u{1B}[2J<b>Day\n2</b>", ["version": 1])
        #expect(message.body.english == "Note “\u{241B}[2J<b>Day 2</b>”" && message.style == .plain)
        let text: JSON = [
            "type": "note", "title": "\u{1B}x", "version": 1, "authorName": "A\u{7}", "text": "one\n\u{1B}two",
            "tags": .list([]), "entries": .list([]),
        ]
        let lines = SharedRecordWords(try answered(text)).lines.map(\.english)
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        #expect(lines.last == "one\n\u{241B}two" && lines.first == "Note “\u{241B}x”")
    }

    private static let itinerary: JSON = [
        "type": "itinerary", "title": "Day 2", "version": 3, "authorName": "Guide", "publishedAt": "-",
        "text": "By tram", "url": .null, "latitude": .null, "longitude": .null, "tags": ["easy", "rain"],
        "entries": [
            [
                "id": "00112233-4455-6677-8899-aabbccddeeff", "title": "Gate", "kind": "stop", "note": "North\nside",
                "latitude": .number("1.5"), "longitude": .number("2"), "at": .null,
            ],
            [
                "id": "10112233-4455-6677-8899-aabbccddeeff", "title": "Hall", "kind": "stop", "note": .null,
                "latitude": .null, "longitude": .null, "at": .null,
            ],
        ],
        "changes": [
            "since": 2, "fields": [["field": "tags", "before": "easy", "now": "easy, rain"]],
            "lines": [
                ["change": "removed", "line": 1, "text": "By bus"], ["change": "added", "line": 1, "text": "By tram"],
            ],
            "stops": [
                ["change": "removed", "id": "a", "title": "Bus", "from": 1, "to": .null, "fields": .list([])],
                ["change": "added", "id": "b", "title": "Gate", "from": .null, "to": 1, "fields": .list([])],
                ["change": "moved", "id": "c", "title": "Hall", "from": 4, "to": 2, "fields": .list([])],
                ["change": "changed", "id": "c", "title": "Hall", "from": 4, "to": 2, "fields": ["at", "note"]],
            ],
        ],
    ]

    @Test func itinerariesAreShownWhole() throws {
        #expect(
            SharedRecordWords(try answered(Self.itinerary)).lines.map(\.english) == [
                "Itinerary “Day 2”", "version 3, by Guide, ", "Tags: easy, rain", "", "By tram", "",
                "1. Gate — 1.5,2 (00112233)", "   North", "   side", "2. Hall (10112233)",
            ])
    }

    @Test func changesAreShownOneByOne() throws {
        #expect(
            SharedRecordWords(try answered(Self.itinerary)).changeLines.map(\.english) == [
                "Since version 2:", "  tags: “easy” is now “easy, rain”", "  - By bus", "  + By tram",
                "  - Bus (was 1.)", "  + 1. Gate", "  > Hall: from 4. to 2.", "  * 2. Hall: other time, note",
            ])
        #expect(SharedRecordWords(try answered(["type": "note", "changes": .null])).changeLines.isEmpty)
        let nothing: JSON = ["changes": ["since": 1, "fields": .list([]), "lines": .list([]), "stops": .list([])]]
        #expect(
            SharedRecordWords(try answered(nothing)).changeLines.map(\.english) == ["Since version 1:", "  nothing"])
    }
}
