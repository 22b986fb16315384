import Foundation
import Testing
import TourJSON
import TourNode
import TourWeb

/// Goal: the notebook goes in and out by the local API as its description says, and what is no item is refused in its
/// words. Method: a real node without a network behind its socket; a second one for what goes from one to another.
@Suite struct NotebookRouteTests {
    private static func refusal(_ answer: LocalRequest) -> [JSON?] {
        [.number(String(answer.status)), answer.body["error"]?["code"]]
    }

    private static func titles(_ itinerary: LocalRequest) -> [String] {
        itinerary.body["stops"]?.list?.compactMap { $0["title"]?.text } ?? []
    }

    @Test func aPlaceIsKeptWithItsFiles() async throws {
        let node = try OfflineNode()
        let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 7, count: 70_000)
        try picture.write(to: node.scratch.appendingPathComponent("bus.jpg"))
        try FileManager.default.createDirectory(atPath: node.path("out"), withIntermediateDirectories: false)
        try await node.run {
            let made = try await node.ask(
                "POST", "/notebook/bookmarks",
                [
                    "title": "<b>Tower</b>", "url": "geo:48.8584,2.2945", "category": "Sights", "tags": ["high"],
                    "pictures": [.text(node.path("bus.jpg"))],
                ])
            #expect(made.status == 200 && made.body["title"] == "<b>Tower</b>" && made.body["type"] == "bookmarks")
            #expect(made.body["sync_version"] == 1 && made.body["pending"] == true && made.body["problem"] == .null)
            let id = try #require(made.body["id"]?.text)
            let categories = try await node.ask("GET", "/notebook/categories").lines
            #expect(categories.map { $0["name"]?.text } == ["Sights"])
            #expect(made.body["category_id"] == categories.first?["id"])

            let changed = try await node.ask(
                "PATCH", "/notebook/bookmarks/\(id.prefix(8))",
                ["note": "By the river", "tags": [], "category": .null, "is_favorite": true])
            #expect(changed.body["note"] == "By the river" && changed.body["category_id"] == nil)
            #expect(changed.body["url"] == "geo:48.8584,2.2945" && changed.body["is_favorite"] == true)
            let file = try #require(changed.body["files"]?.list?.first)
            #expect(file["name"] == "bus.jpg" && file["media"] == "image/jpeg" && file["bytes"] == 70_004)
            #expect(file["here"] == true && file["role"] == "picture" && file["url"] == .null)

            let saved = try await node.ask(
                "POST", "/notebook/bookmarks/\(id)/save", ["directory": .text(node.path("out"))])
            let path = try #require(saved.body["saved"]?.list?.first?["path"]?.text)
            #expect(path == node.path("out/bus.jpg"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == picture)

            let detached = try await node.ask(
                "PATCH", "/notebook/bookmarks/\(id)", ["detach": [file["id"] ?? .null]])
            #expect(detached.body["files"] == .list([]))
            #expect(try await node.ask("DELETE", "/notebook/bookmarks/\(id)").status == 200)
            #expect(try await node.ask("GET", "/notebook/bookmarks").lines == [])
            #expect(
                try await Self.refusal(node.ask("GET", "/notebook/bookmarks/\(id)")) == [404, "unknown-item"])
        }
    }

    @Test func stopsStandInTheirOrder() async throws {
        let node = try OfflineNode()
        try await node.run {
            _ = try await node.ask("POST", "/notebook/collections", ["title": "Dienstag Ö"])
            let stops = "/notebook/collections/dienstag%20o/samples"
            for title in ["A", "B", "C"] {
                _ = try await node.ask("POST", stops, ["title": .text(title), "at": "2026-06-01T08:00:00Z"])
            }
            #expect(
                Self.titles(try await node.ask("POST", stops, ["title": "D", "position": 1])) == ["D", "A", "B", "C"])
            #expect(Self.titles(try await node.ask("PUT", stops + "/1", ["position": 4])) == ["A", "B", "C", "D"])
            #expect(Self.titles(try await node.ask("PUT", stops + "/C", ["position": 1])) == ["C", "A", "B", "D"])
            for position in [0, 5, -1] {
                let answer = try await node.ask("PUT", stops + "/A", ["position": .number(String(position))])
                #expect(Self.refusal(answer) == [400, "bad-position"])
            }
            let stop = try await node.ask("PATCH", stops + "/B", ["place": "geo:1,2", "note": "x"])
            #expect(stop.body["place"] == "geo:1,2" && stop.body["at"] == "2026-06-01T08:00:00Z")
            _ = try await node.ask("POST", "/notebook/collections", ["title": "Other"])
            let again = try await node.ask("POST", "/notebook/collections/Other/samples", ["stop": "B"])
            #expect(Self.titles(again) == ["B"])
            #expect(
                try await Self.refusal(node.ask("POST", stops, ["stop": "B"])) == [409, "stop-there"])
            // B stays in the other one; A goes, for it is in no other.
            #expect(Self.titles(try await node.ask("DELETE", stops + "/B")) == ["C", "A", "D"])
            #expect(Self.titles(try await node.ask("DELETE", stops + "/A")) == ["C", "D"])
            #expect(Self.titles(try await node.ask("DELETE", stops + "/D?keep=true")) == ["C"])
            var left = try await node.ask("GET", "/notebook/samples").lines.compactMap { $0["title"]?.text }
            #expect(left.sorted() == ["B", "C", "D"])
            _ = try await node.ask("DELETE", "/notebook/collections/dienstag%20o")
            left = try await node.ask("GET", "/notebook/samples").lines.compactMap { $0["title"]?.text }
            #expect(left.sorted() == ["B", "D"])
            _ = try await node.ask("DELETE", "/notebook/samples/B")
            #expect(Self.titles(try await node.ask("GET", "/notebook/collections/Other")) == [])
        }
    }

    @Test func whatIsNoneIsRefused() async throws {
        let node = try OfflineNode()
        try Data("text".utf8).write(to: node.scratch.appendingPathComponent("text.jpg"))
        try await node.run {
            func refused(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> [JSON?] {
                Self.refusal(try await node.ask(method, "/notebook/" + path, body))
            }
            #expect(try await refused("POST", "notes", ["content": "x"]) == [400, "bad-item"])
            #expect(try await refused("POST", "notes", ["title": 7]) == [400, "bad-item"])
            #expect(try await refused("POST", "notes", []) == [400, "bad-item"])
            #expect(try await refused("POST", "castles", ["title": "x"]) == [400, "bad-request"])
            #expect(try await refused("POST", "lost", ["title": "x"]) == [400, "bad-request"])
            #expect(try await refused("GET", "notes/abcdef12") == [404, "unknown-item"])
            #expect(try await refused("POST", "notes/a/save", ["directory": "/"]) == [400, "bad-request"])
            let long = String(repeating: "x", count: 1_025)
            #expect(try await refused("POST", "notes", ["title": .text(long)]) == [400, "bad-item"])
            #expect(try await refused("POST", "samples", ["title": "x", "place": "geo:91,0"]) == [400, "bad-item"])
            for (path, code) in [
                ("a.jpg", "bad-path"), ("/no/such", "no-such-file"), (node.path("data"), "not-a-file"),
            ] {
                let body: JSON = ["title": "x", "file": .text(path)]
                #expect(try await refused("POST", "bookmarks", body) == [400, .text(code)])
            }
            let text: JSON = ["title": "x", "pictures": [.text(node.path("text.jpg"))]]
            #expect(try await refused("POST", "bookmarks", text) == [400, "picture-unknown-format"])
            #expect(try await node.ask("GET", "/notebook/bookmarks").lines == [])

            for _ in 0..<2 { _ = try await node.ask("POST", "/notebook/notes", ["title": "Same"]) }
            #expect(try await refused("GET", "notes/same") == [409, "ambiguous"])
            let id = try #require(try await node.ask("GET", "/notebook/notes").lines.first?["id"]?.text)
            #expect(try await refused("PATCH", "notes/\(id)", ["title": .null]) == [400, "bad-item"])
            #expect(try await refused("POST", "bookmarks/\(id)/save", ["directory": "/"]) == [404, "unknown-item"])
        }
    }

    @Test func whoHasNotSeenAChangeIsTold() async throws {
        let node = try OfflineNode()
        try await node.run {
            let note = try await node.ask("POST", "/notebook/notes", ["title": "A", "content": "1"]).body
            let path = "/notebook/notes/\(note["id"]?.text ?? "")"
            let version = note["sync_version"] ?? .null
            let first = try await node.ask("PATCH", path, ["content": "2", "sync_version": version])
            #expect(first.status == 200 && first.body["sync_version"] == 2)
            let second = try await node.ask("PATCH", path, ["content": "3", "sync_version": version])
            #expect(Self.refusal(second) == [409, "item-changed"])
            #expect(try await node.ask("GET", path).body["content"] == "2")
        }
    }

    @Test func whatGoesOutComesInOnce() async throws {
        let (one, other) = (try OfflineNode(), try OfflineNode())
        var document = ""
        try await one.run {
            let table = "title;latitude;longitude;category;note\nA;1;2;Sights;<script>x</script>\nB;91;0;;\nC;;;;\n"
            let first = try await one.ask("POST", "/notebook/import?format=csv&only=places", text: table)
            #expect(first.body["added"] == 3 && first.body["skippedCount"] == 1)
            #expect(first.body["skipped"]?.list?.first?["title"] == "B")
            let again = try await one.ask("POST", "/notebook/import?format=csv", text: table)
            #expect(again.body["added"] == 0 && again.body["unchanged"] == 2)
            #expect(first.body["rows"] == [] && first.body["partialCount"] == 0)
            let each = try await one.ask("POST", "/notebook/import?format=csv&rows=true", text: "title,lat\nD,1\n")
            #expect(each.body["rows"]?.list?.first?["result"] == "added" && each.body["partialCount"] == 1)
            _ = try await one.ask("DELETE", "/notebook/bookmarks/D")
            _ = try await one.ask("POST", "/notebook/collections", ["title": "Day"])
            _ = try await one.ask("POST", "/notebook/collections/Day/samples", ["title": "Stop"])
            let export = try await one.ask("GET", "/notebook/export?format=gpx").text
            #expect(export.contains("<desc>&lt;script&gt;x&lt;/script&gt;</desc>") && export.contains("<type>Sights"))
            document = try await Self.file(one.ask("GET", "/notebook/export?format=json"))
            let cut = try await one.ask("POST", "/notebook/import?format=json", text: String(document.dropLast(30)))
            #expect(Self.refusal(cut) == [400, "bad-import"])
            let none = try await one.ask("POST", "/notebook/import?format=pdf", text: document)
            #expect(Self.refusal(none) == [400, "bad-request"])
            #expect(Self.refusal(try await one.ask("POST", "/notebook/sync")).last == "no-mailbox")
        }
        try await other.run {
            let first = try await other.ask("POST", "/notebook/import?format=json", text: document)
            #expect(first.body["added"] == 5 && first.body["skippedCount"] == 0)
            let again = try await other.ask("POST", "/notebook/import?format=json", text: document)
            #expect(again.body["added"] == 0 && again.body["unchanged"] == 5)
            #expect(Self.titles(try await other.ask("GET", "/notebook/collections/Day")) == ["Stop"])
            _ = try await other.ask("PATCH", "/notebook/bookmarks/A", ["title": "Changed"])
            let kept = try await other.ask("POST", "/notebook/import?format=json", text: document)
            #expect(kept.body["different"] == 1 && kept.body["changed"] == 0)
            let taken = try await other.ask("POST", "/notebook/import?format=json&replace=true", text: document)
            #expect(taken.body["different"] == 0 && taken.body["changed"] == 1)
            #expect(try await other.ask("GET", "/notebook/bookmarks/A").status == 200)
            // What was removed comes back.
            _ = try await other.ask("DELETE", "/notebook/bookmarks/A")
            let back = try await other.ask("POST", "/notebook/import?format=json", text: document)
            #expect(back.body["added"] == 1)
            #expect(try await other.ask("GET", "/notebook/bookmarks/A").status == 200)
        }
    }

    /// A file that came in chunks, put together.
    private static func file(_ answer: LocalRequest) -> String {
        var rest = Array(answer.text.utf8)[...]
        var bytes: [UInt8] = []
        while let end = rest.firstIndex(of: 0x0D),
            let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16)
        {
            rest = rest[(end + 2)...]
            guard size > 0, rest.count >= size + 2 else { break }
            bytes += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
