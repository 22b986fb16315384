import Foundation
import NIOHTTP1
import Testing
import TourModel

/// Goal: itineraries hold what a year of stops needs, in pages, on paper, and beside devices that sync.
/// Method: a whole server over HTTP; what it prints is read back with poppler.
struct ItineraryTests {
    @Test func fieldsOfAStopAreKeptAndTakenAway() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let made: ItineraryClient.Sample = try await client.send(
                "POST", "samples",
                [
                    "title": "Müze", "note": "Bilet", "place": "geo:38.6431,34.8289",
                    "at": "2026-06-02T11:30:00.5+03:00",
                ])
            #expect(made.materialType == "stop" && made.note == "Bilet" && made.place == "geo:38.6431,34.8289")
            #expect(made.at == Date(timeIntervalSince1970: 1_780_389_000))
            let path = "/samples/\(made.id)"
            let body = #"{"note":null,"at":null,"materialType":null,"title":null}"#
            #expect(try await server.send(.PATCH, path, token: client.token, body).status == 200)
            let after = try await client.sample(made.id)
            #expect(after.note == nil && after.at == nil && after.place == made.place)
            #expect(after.title == "Müze" && after.materialType == "stop")
            for (field, value) in [
                ("title", "\" \""), ("materialType", "\"\""), ("place", "\"geo:91,0\""), ("place", "\"38,34\""),
                ("at", "\"yarın\""),
            ] {
                let reply = try await server.send(.PATCH, path, token: client.token, "{\"\(field)\":\(value)}")
                #expect(reply.status == 422 && reply.field == field, "\(field): \(reply.text)")
            }
            #expect(try await client.sample(made.id) == after)
        }
    }

    /// Lists are put together of what is stored: they say the same of each item as its own address does.
    @Test func listsSayWhatEachAddressSays() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.itineraryClient("ayse@example.org").token
            func object(_ path: String) async throws -> NSDictionary {
                let reply = try await server.send(.GET, path, token: token)
                return try #require(
                    try JSONSerialization.jsonObject(with: reply.body) as? NSDictionary, "\(reply.text)")
            }
            // Texts that look like keys, and letters that join what stands before them.
            let texts = [
                #"\",\"material_type\":\"x\",\"samples\":[]"#, #"\u0301 \\ } ]"#, "\u{301}Müze\u{200D}",
                #"{\"at\":\"Z"#, "日本",
            ]
            var all = [#"{"title":"A"}"#, #"{"title":"A","at":"1999-12-31T23:59:59Z","place":"geo:-1,2"}"#]
            for text in texts {
                all.append(
                    #"{"title":"\#(text)","materialType":"\#(text)","note":"\#(text)","at":"2026-06-01T00:00:00Z"}"#)
                let note = #"{"title":"\#(text)","content":"\#(text)"}"#
                #expect(try await server.send(.POST, "/notes", token: token, note).status == 201)
                let itinerary = #"{"title":"\#(text)","description":"\#(text)"}"#
                #expect(try await server.send(.POST, "/collections", token: token, itinerary).status == 201)
            }
            let ids = (try await object("/collections")["data"] as? [NSDictionary] ?? []).compactMap { $0["id"] }
            let filed = String(decoding: try JSONSerialization.data(withJSONObject: ids), as: UTF8.self)
            for stop in all {
                let body = #"{"collectionIds":\#(filed),"# + stop.dropFirst()
                #expect(try await server.send(.POST, "/samples", token: token, body).status == 201)
            }
            for (path, count) in [("/samples", all.count), ("/collections", texts.count)] {
                let listed = try await object(path)["data"] as? [NSDictionary] ?? []
                #expect(listed.count == count)
                for item in listed {
                    let one = try await object(path + "/\(item["id"] ?? "")")["data"] as? NSDictionary
                    #expect(item == one)
                    if path == "/collections" { #expect((item["samples"] as? [NSDictionary])?.count == all.count) }
                }
            }
            let reply = try await server.send(.GET, "/notes", token: token)
            let notes = try JSONSerialization.jsonObject(with: reply.body) as? [NSDictionary] ?? []
            #expect(notes.count == texts.count)
            for note in notes {
                #expect(note["title"] as? String == note["content"] as? String && note["created_at"] != nil)
                #expect(try await object("/notes/\(note["id"] ?? "")") == note)
            }
        }
    }

    @Test func descriptionIsKeptAndTakenAway() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let made: ItineraryClient.Collection = try await client.send(
                "POST", "collections", ["title": "Gün 1", "description": "Göreme"])
            let path = "/collections/\(made.id)"
            #expect(made.description == "Göreme")
            let renamed: ItineraryClient.Collection = try await client.send(
                "PATCH", String(path.dropFirst()), ["title": "Gün 2"])
            #expect(renamed.title == "Gün 2" && renamed.description == "Göreme" && renamed.id == made.id)
            #expect(try await server.send(.PATCH, path, token: client.token, #"{"description":null}"#).status == 200)
            #expect(try await client.collection(made.id).description == nil)
            let gone: ItineraryClient.Collection = try await client.send(
                "PATCH", String(path.dropFirst()), ["isDeleted": true])
            #expect(gone.isDeleted)
            #expect(try await client.collections().isEmpty)
        }
    }

    /// What two devices of the account have synced is there, and a stop that never came is passed over.
    @Test func twoThousandStopsAreOneItinerary() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let stops = (1...Limits.notebookStopsMax).map { Self.uuid($0) }
            let samples = stops.enumerated().map { index, id in
                #"{"id":"\#(id)","title":"Durak \#(index + 1)","note":"Not","place":"geo:38.6,34.8","sync_version":1}"#
            }
            let entries = stops.map { #"{"id":"\#($0)","added_at":"2026-06-01T00:00:00Z"}"# }
            let collection = """
                {"id":"\(Self.uuid(9_999))","title":"Yıl",\
                "samples":[\(entries.joined(separator: ","))],"sync_version":1}
                """
            let delta = """
                {"device":"0123456789abcdef","kinds":["collections","samples"],
                "samples":[\(samples.joined(separator: ","))],"collections":[\(collection)]}
                """
            let synced = try await server.send(.POST, "/api/v1/sync/delta", token: client.token, delta)
            #expect(synced.status == 200, "\(synced.text.prefix(300))")
            let id = "col_" + Self.uuid(9_999).filter { $0 != "-" }
            let all = try await client.collection(id)
            #expect(all.titles == (1...2_000).map { "Durak \($0)" })
            let extra = try await client.makeSample("fazla").id
            let path = "/collections/\(id)/samples"
            let full = try await server.send(.POST, path, token: client.token, #"{"sampleId":"\#(extra)"}"#)
            #expect(full.status == 422 && full.field == "sampleId")
            for position in ["1.5", "-1.0e-3", "9223372036854775808", "1e30", "\"1\""] {
                let body = #"{"sampleId":"\#(extra)","position":\#(position)}"#
                let refused = try await server.send(.POST, path, token: client.token, body)
                #expect(refused.status == 422 && refused.field == "position", "\(position): \(refused.text)")
            }
            let turned = try await client.reorder(id, all.samples.reversed().map(\.sampleId))
            #expect(turned.titles.first == "Durak 2000" && turned.titles.last == "Durak 1")
            try await client.remove(turned.samples[1_000].sampleId, from: id)
            #expect(try await client.collection(id).titles.count == 1_999)
            #expect(try await client.add(extra, to: id).position == 1_999)
            let pdf = try await server.send(.GET, "/collections/\(id)/pdf", token: client.token)
            let lines = try await PDFReader.lines(of: pdf.body)
            #expect(pdf.status == 200)
            // A number of four digits stands so near that it is read in the same line.
            #expect(lines.contains { $0.hasSuffix("fazla") } && lines.contains { $0.hasSuffix("Durak 2") })
            // The whole list is one answer for a client that knows of no pages.
            #expect(try await client.samples().count == 2_001)
        }
    }

    private static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    @Test func itineraryIsPrinted() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let collection: ItineraryClient.Collection = try await client.send(
                "POST", "collections", ["title": "Kapadokya", "description": "İki gün <i>yürüyüş</i>"])
            for (title, note) in [("Uçhisar Kalesi", "Dik merdiven"), ("清水寺", "https://example.org/jp")] {
                let body: [String: any Encodable & Sendable] = [
                    "title": title, "note": note, "place": "geo:38.6297,34.8053", "at": "2026-06-02T08:30:00Z",
                    "collectionIds": [collection.id],
                ]
                let _: ItineraryClient.Sample = try await client.send("POST", "samples", body)
            }
            let reply = try await server.send(.GET, "/collections/\(collection.id)/pdf", token: client.token)
            #expect(reply.headers.first(name: "Content-Type") == "application/pdf")
            #expect(reply.headers.first(name: "Content-Disposition") == "inline; filename=\"\(collection.id).pdf\"")
            let lines = try await PDFReader.lines(of: reply.body)
            #expect(lines.first == "Kapadokya" && lines.contains("İki gün <i>yürüyüş</i>"), "\(lines)")
            for line in ["2026-06-02 08:30 UTC", "geo:38.6297,34.8053", "Dik merdiven", "https://example.org/jp"] {
                #expect(lines.contains(line), "\(line): \(lines)")
            }
            let text = lines.joined(separator: " ")
            #expect(text.contains("1. ") && text.contains("2. ") && text.contains("清水寺"))
            let other = try await server.itineraryClient("ben@example.org")
            let refused = try await server.send(.GET, "/collections/\(collection.id)/pdf", token: other.token)
            #expect(refused.status == 403)
        }
    }

    private struct Rows: Decodable {
        struct Row: Decodable { var title: String }
        var data: [Row]
    }

    /// Each once, also where several were made in one second and some go meanwhile.
    @Test(arguments: ["/samples", "/collections", "/notes"])
    func listsComeByPages(path: String) async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            for number in 0..<7 {
                if number % 3 == 0 { server.clock.advance(seconds: 1) }
                let made = try await server.send(
                    .POST, path, token: token, #"{"title":"\#(number)","content":""}"#)
                #expect(made.status == 201)
            }
            func titles(_ reply: Reply) throws -> [String] {
                path == "/notes"
                    ? try reply.decoded([Rows.Row].self).map(\.title)
                    : try reply.decoded(Rows.self).data.map(\.title)
            }
            let whole = try titles(try await server.send(.GET, path, token: token))
            #expect(whole.sorted() == (0..<7).map { "\($0)" })
            #expect(Set(whole.prefix(3)) == ["0", "1", "2"] && whole.last == "6", "the oldest first")
            var pages = [[String]]()
            var query = "?limit=3"
            while pages.count < 5 {
                let reply = try await server.send(.GET, path + query, token: token)
                pages.append(try titles(reply))
                guard let link = reply.headers.first(name: "Link") else { break }
                query = String(try #require(link.wholeMatch(of: /<(\?limit=3&cursor=[0-9a-f]+)>; rel="next"/)).1)
            }
            #expect(pages == [Array(whole[0..<3]), Array(whole[3..<6]), [whole[6]]])
            for (query, field) in [("limit=0", "limit"), ("limit=10001", "limit"), ("cursor=x", "cursor")] {
                let reply = try await server.send(.GET, "\(path)?\(query)", token: token)
                #expect(reply.status == 422 && reply.field == field, "\(query)")
            }
            let strange = try await server.send(.GET, path + "?cursor=ff", token: token)
            #expect(strange.status == 200)
            #expect(try titles(strange).isEmpty)
        }
    }

    /// 70 notes of 256 KiB are more than one answer takes.
    @Test func longAnswersEndEarly() async throws {
        try await RunningServer.run { server async throws in
            let client = try await server.itineraryClient("ayse@example.org")
            let text = String(repeating: "x", count: Limits.notebookTextBytesMax)
            let collection = try await client.makeCollection("x").id
            for _ in 0..<70 {
                let body = #"{"title":"x","note":"\#(text)","collectionIds":["\#(collection)"]}"#
                #expect(try await server.send(.POST, "/samples", token: client.token, body).status == 201)
            }
            let samples = try await client.samples()
            #expect((60..<70).contains(samples.count), "16 MiB, and the next page has the rest")
            let opened = try await client.collection(collection)
            #expect(opened.samples.count == 70 && opened.samples.contains { $0.sample.note == nil })
            #expect(try await client.sample(opened.samples[69].sampleId).note == text)
            let pdf = try await server.send(.GET, "/collections/\(collection)/pdf", token: client.token)
            #expect(pdf.status == 413 && pdf.code == "too-large")
        }
    }
}
