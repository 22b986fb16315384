import Foundation
import Testing
import TourJSON
import TourModel
import TourPresentation
import TourPrint
import TourWeb

/// Goal: pictures and files of places go in and out as bytes, whole and under their bounds, and what is printed is what
/// the notebook says. Method: a real node without a network behind its socket; bytes that are letters, so that the
/// answer's text is all of them.
@Suite struct NotebookContentTests {
    private static func refusal(_ answer: LocalRequest) -> [JSON?] {
        [.number(String(answer.status)), answer.body["error"]?["code"]]
    }

    @Test func filesOfAPlaceGoInAndOut() async throws {
        let node = try OfflineNode()
        // Longer than what is stored in one part.
        let picture = "GIF89a" + String(repeating: "picture ", count: 40_000)
        try await node.run {
            _ = try await node.ask("POST", "/notebook/bookmarks", ["title": "Tower"])
            let files = "/notebook/bookmarks/Tower/files"
            let made = try await node.ask("POST", files + "?role=picture&name=..%2Fb%C3%BCs.gif", text: picture)
            #expect(made.status == 200 && made.body["title"] == "Tower")
            let first = try #require(made.body["files"]?.list?.first)
            #expect(first["name"]?.text?.contains("/") == false)
            #expect(first["role"] == "picture" && first["media"] == "image/gif" && first["here"] == true)
            #expect(first["bytes"] == .number(String(picture.utf8.count)))
            let id = try #require(first["id"]?.text)
            let content = try await node.ask("GET", files + "/\(id)/content")
            #expect(content.status == 200 && content.text == picture)
            #expect(try await node.ask("GET", files + "/\(id.prefix(8))/content").text == picture)

            // One file: the next one takes its place.
            _ = try await node.ask("POST", files + "?role=file&name=a.html", text: "<script>1</script>")
            let second = try await node.ask("POST", files + "?role=file&name=100%2541%20b.txt", text: "")
            let names = second.body["files"]?.list?.map { $0["name"] }
            #expect(names?.count == 2 && names?.last == "100%41 b.txt")
            #expect(second.body["files"]?.list?.last?["media"] == "application/octet-stream")
            let empty = try #require(second.body["files"]?.list?.last?["id"]?.text)
            let nothing = try await node.ask("GET", files + "/\(empty)/content")
            #expect(nothing.status == 200 && nothing.text.isEmpty)
        }
    }

    @Test func whatIsNoFileOfAPlaceIsRefused() async throws {
        let node = try OfflineNode()
        try await node.run {
            _ = try await node.ask("POST", "/notebook/bookmarks", ["title": "Tower"])
            _ = try await node.ask("POST", "/notebook/notes", ["title": "N"])
            func refused(_ method: String, _ path: String, _ text: String) async throws -> [JSON?] {
                Self.refusal(try await node.ask(method, "/notebook/" + path, text: text))
            }
            let files = "bookmarks/Tower/files"
            #expect(try await refused("POST", files + "?role=picture", "text") == [400, "picture-unknown-format"])
            #expect(try await refused("POST", files + "?role=cover", "text") == [400, "bad-request"])
            #expect(try await refused("POST", "notes/N/files?role=file", "text") == [400, "bad-request"])
            #expect(try await refused("POST", "bookmarks/Bridge/files", "text") == [404, "unknown-item"])
            #expect(try await refused("GET", files + "/abcdef12/content", "") == [404, "unknown-file"])
            #expect(try await refused("GET", files + "/../content", "") == [404, "unknown-file"])
            for _ in 0..<32 { _ = try await node.ask("POST", "/notebook/\(files)?role=picture", text: "GIF87a") }
            #expect(try await refused("POST", files + "?role=picture", "GIF87a") == [400, "too-many-pictures"])
            // Nothing is taken in any more from where two did not come to their end: each gave its place back.
            #expect(try await node.ask("POST", "/notebook/\(files)?role=file", text: "x").status == 200)
        }
    }

    @Test func notesAndItinerariesArePrinted() async throws {
        let node = try OfflineNode()
        try await node.run {
            _ = try await node.ask("POST", "/notebook/notes", ["title": "<b>N</b>", "content": "a\nb"])
            _ = try await node.ask("POST", "/notebook/collections", ["title": "Tuesday"])
            _ = try await node.ask("POST", "/notebook/bookmarks", ["title": "Tower"])
            for path in ["notes/%3Cb%3EN%3C%2Fb%3E", "collections/Tuesday"] {
                let answer = try await node.ask("GET", "/notebook/\(path)/pdf")
                #expect(answer.status == 200 && answer.text.hasPrefix("%PDF-"))
            }
            #expect(
                try await Self.refusal(node.ask("GET", "/notebook/bookmarks/Tower/pdf")) == [400, "bad-request"])
            #expect(try await Self.refusal(node.ask("GET", "/notebook/notes/None/pdf")) == [404, "unknown-item"])
            let long = String(repeating: "x\\n", count: 130_000)
            let body = "{\"title\":\"Long\",\"content\":\"\(long)\"}"
            #expect(try await node.ask("POST", "/notebook/notes", text: body).status == 200)
            #expect(try await Self.refusal(node.ask("GET", "/notebook/notes/Long/pdf")) == [400, "print-too-long"])
        }
    }

    @Test func whatIsPrinted() {
        let itinerary: JSON = [
            "title": "Tuesday", "description": "By boat", "updated_at": "x",
            "stops": [
                ["title": "Tower", "place": "geo:1,2", "note": "<b>a</b>\nhttps://a.example"], ["title": "Lunch"],
            ],
        ]
        let stops: [PrintDocument.Block] = [
            .entry(number: 1, title: "Tower", lines: ["geo:1,2", "<b>a</b>", "https://a.example"]),
            .entry(number: 2, title: "Lunch", lines: []),
        ]
        #expect(
            NotebookPrint.itinerary(itinerary)
                == PrintDocument(title: "Tuesday", details: [], body: [.text("By boat")] + stops))
        #expect(
            NotebookPrint.note(["title": "N", "content": "a\nb", "updated_at": "x"], language: "ja")
                == PrintDocument(title: "N", details: [], body: [.text("a\nb")], language: "ja"))
        let shared: JSON = [
            "title": "Tuesday", "text": " ", "url": .null, "authorName": "Guide", "publishedAt": "x",
            "entries": [
                [
                    "title": "Tower", "latitude": 1, "longitude": 2, "at": .null,
                    "note": "<b>a</b>\nhttps://a.example",
                ], ["title": "Lunch", "latitude": .null, "longitude": .null],
            ],
        ]
        #expect(
            NotebookPrint.shared(shared) == PrintDocument(title: "Tuesday", details: ["Guide"], body: stops))
    }

    @Test func aProgrammeIsPrintedInTheOrderOfItsTimesUnderItsDays() throws {
        func at(_ text: String) throws -> LocalMoment { LocalMoment(try #require(Timestamp(text))) }
        let (early, late, next) = ("2026-11-28T11:00:00Z", "2026-11-28T13:30:00Z", "2026-12-01T12:00:00Z")
        let itinerary: JSON = [
            "title": "Three days",
            "stops": [
                ["title": "Meet"], ["title": "Harbour", "at": .text(next)], ["title": "Bazaar", "at": .text(late)],
                ["title": "Tea"], ["title": "Tower", "at": .text(early)],
            ],
        ]
        let (first, second, third) = (try at(early), try at(late), try at(next))
        #expect(
            NotebookPrint.itinerary(itinerary).body == [
                .entry(number: 1, title: "Meet", lines: []), .heading(first.day),
                .entry(number: 2, title: "Tower", lines: [first.time]),
                .entry(number: 3, title: "Bazaar", lines: [second.time]), .entry(number: 4, title: "Tea", lines: []),
                .heading(third.day), .entry(number: 5, title: "Harbour", lines: [third.time]),
            ])
        #expect(first.day == second.day && first.text == "\(first.day) \(first.time)")
    }
}
