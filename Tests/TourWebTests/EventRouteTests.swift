import Foundation
import Testing
import TourJSON
import TourNode
import TourWeb

/// Goal: a page that follows a tour has its last messages first, then everything that is new, and what stands beside
/// them whenever it differs. Method: a real node; events as they come over the page's door.
@Suite struct EventRouteTests {
    private static func send(_ text: String, _ door: PageAccess) async throws -> String {
        try #require(
            try await door.ask("POST", "/tours/-/messages", ["content": .text(text)]).json["id"]?.text)
    }

    private static func contents(_ data: JSON) -> [String] {
        data["messages"]?.list?.map { $0.shown("content") } ?? []
    }

    @Test func theLastMessagesComeFirst() async throws {
        let node = try PageNode()
        try await node.run { door in
            for number in 1...5 { _ = try await Self.send("number \(number)", door) }
            for (limit, count, more) in [(3, 3, true), (4, 4, true), (5, 5, false), (900, 5, false)] {
                var stream = try await EventStream(door, "/tours/-/events?limit=\(limit)")
                let first = try await stream.next()
                #expect(first.name == "messages" && first.data["start"] == true, "\(limit)")
                #expect(first.data["more"]?.flag == more, "\(limit)")
                #expect(Self.contents(first.data) == (6 - count...5).map { "number \($0)" }, "\(limit)")
                stream.connection.close()
            }
        }
    }

    @Test func whatStandsBesideThemComesOnce() async throws {
        let node = try PageNode()
        try await node.run { door in
            var stream = try await EventStream(door, "/tours/-/events")
            var seen = [String: JSON]()
            for _ in 0..<12 {
                let event = try await stream.next()
                #expect(seen[event.name] == nil, "\(event.name)")
                seen[event.name] = event.data
            }
            #expect(
                Set(seen.keys) == [
                    "messages", "members", "tour", "meeting", "alarms", "quiet", "roll", "urgent", "stragglers",
                    "sharing", "asking", "tours",
                ])
            #expect(seen["messages"] == ["start": true, "more": false, "messages": []])
            #expect(seen["members"]?["members"]?.list?.first?["name"] == "Anna")
            #expect(seen["tour"]?["name"] == "Rome" && seen["tours"]?["tours"]?.list?.count == 1)
            #expect(seen["meeting"] == ["meeting": .null] && seen["sharing"]?["sharing"] == false)

            _ = try await door.ask("PATCH", "/tours/-", ["name": "Roma"])
            let renamed = try await stream.next("tour")
            #expect(renamed["name"] == "Roma")
            let place: JSON = ["latitude": 1, "longitude": 2, "text": "At the gate"]
            #expect(try await door.ask("POST", "/tours/-/meeting", place).status == 200)
            let meeting = try await stream.next("meeting")
            #expect(meeting["meeting"]?["text"] == "At the gate")
            _ = try await door.ask("PUT", "/name", ["name": "Berta"])
            let members = try await stream.next("members")
            #expect(members["members"]?.list?.first?["name"] == "Berta")
            #expect(try await door.ask("POST", "/tours", ["name": "Paris"]).status == 200)
            var tours = 1
            while tours == 1 { tours = try await stream.next("tours")["tours"]?.list?.count ?? 1 }
            #expect(tours == 2)
        }
    }

    @Test func aSlowLookIsMadeMoreSeldomButNotForgotten() {
        let pauses = [Duration.zero, .milliseconds(50), .milliseconds(200), .seconds(60)].map(TourWatch.pause)
        #expect(pauses == [.seconds(1), .seconds(1), .seconds(4), .seconds(10)])
    }

    @Test func whatIsNewOrAnotherComesAtOnce() async throws {
        let node = try PageNode()
        try await node.run { door in
            var stream = try await EventStream(door, "/tours/-/events")
            _ = try await stream.next("tours")
            let id = try await Self.send("one\ntwo \u{2028} “three”", door)
            let arrived = try await stream.next("messages")
            #expect(arrived["start"] == false && arrived["more"] == nil)
            #expect(Self.contents(arrived) == ["one\ntwo \u{2028} “three”"])
            _ = try await door.ask("DELETE", "/tours/-/messages/\(id)")
            let withdrawn = try await stream.next("messages")
            #expect(withdrawn["messages"]?.list?.map { $0["id"]?.text } == [id])
            #expect(withdrawn["messages"]?.list?.first?["type"] == "withdrawn")
            for number in 1...300 { _ = try await Self.send("number \(number)", door) }
            var seen = [String]()
            while seen.count < 300 {
                let data = try await stream.next("messages")
                seen += Self.contents(data)
            }
            #expect(seen == (1...300).map { "number \($0)" })
        }
    }

    @Test func whatIsNoRequestForEventsIsRefused() async throws {
        let node = try PageNode()
        try await node.run { door in
            for (path, code) in [
                ("/tours/-/events?limit=0", "bad-limit"), ("/tours/-/events?limit=x", "bad-limit"),
                ("/tours/Nowhere/events", "unknown-tour"),
            ] {
                let answer = try await door.ask("GET", path)
                #expect(answer.code == code, "\(path)")
            }
            let stranger = try await door.raw("GET", "/v1/tours/-/events")
            #expect(stranger.status == 401)
        }
    }

    @Test func neighboursOfAMessage() async throws {
        let node = try PageNode()
        try await node.run { door in
            var ids = [String]()
            for number in 1...9 { ids.append(try await Self.send("\(number)", door)) }
            func found(_ query: String) async throws -> [String] {
                try await door.ask("GET", "/tours/-/messages?\(query)").lines.map { $0.shown("content") }
            }
            #expect(try await found("before=\(ids[4])&limit=2") == ["3", "4"])
            #expect(try await found("before=\(ids[4])&limit=9") == ["1", "2", "3", "4"])
            #expect(try await found("before=\(ids[0])&limit=9") == [])
            #expect(try await found("after=\(ids[4])&limit=2") == ["6", "7"])
            #expect(try await found("after=\(ids[8].prefix(12))&limit=2") == [])
            #expect(try await found("around=\(ids[4])&limit=1") == ["4", "5", "6"])
            #expect(try await found("around=\(ids[0])&limit=2") == ["1", "2", "3"])
            #expect(try await found("around=\(ids[8])") == (1...9).map(String.init))
            #expect(try await found("limit=2") == ["8", "9"])
            let draft: JSON = ["type": "announcement", "content": "told"]
            let told = try #require(try await door.ask("POST", "/tours/-/messages", draft).json["id"]?.text)
            _ = try await Self.send("10", door)
            #expect(try await found("type=announcement") == ["told"])
            #expect(try await found("type=announcement&after=\(ids[0])") == ["told"])
            #expect(try await found("type=announcement&before=\(told)") == [])
        }
    }

    /// The query is decoded once: what stands behind a percent sign, and each plus, is sought as it is.
    @Test func aSearchIsLiteral() async throws {
        let node = try PageNode()
        try await node.run { door in
            for text in ["C++", "cat", "100%", "%41", "A", "1+1", "a b", "50%25", "&=#"] {
                _ = try await Self.send(text, door)
            }
            for (query, texts) in [
                ("C%2B%2B", ["C++"]), ("C++", ["C++"]), ("%2B", ["C++", "1+1"]), ("+", ["C++", "1+1"]),
                ("%25", ["100%", "%41", "50%25"]), ("%2541", ["%41"]), ("50%2525", ["50%25"]), ("1%2B1", ["1+1"]),
                ("a%20b", ["a b"]), ("b%20%20a", ["a b"]), ("b%E3%80%80a", ["a b"]), ("%26%3D%23", ["&=#"]),
                ("1+2", []), ("%252B", []), ("%CC%81", []), ("%D9%80", []),
            ] {
                let found = try await door.ask("GET", "/tours/-/messages?search=\(query)").lines
                #expect(found.map { $0.shown("content") } == texts, "\(query)")
            }
        }
    }

    @Test func whatIsNoNeighbourIsRefused() async throws {
        let node = try PageNode()
        try await node.run { door in
            let id = try await Self.send("hello", door)
            for (query, status, code) in [
                ("before=\(String(repeating: "0", count: 64))", 404, "unknown-message"),
                ("after=00000000", 404, "unknown-message"), ("around=00000000", 404, "unknown-message"),
                ("type=text", 400, "bad-request"), ("type=announcement&follow=true", 400, "bad-request"),
                ("before=", 400, "id-too-short"), ("around=abc", 400, "id-too-short"),
                ("before=\(id)&limit=0", 400, "bad-limit"), ("before=\(id)&limit=-1", 400, "bad-limit"),
                ("before=\(id)&after=\(id)", 400, "bad-request"), ("around=\(id)&since=\(id)", 400, "bad-request"),
                ("around=\(id)&search=x", 400, "bad-request"), ("after=\(id)&follow=true", 400, "bad-request"),
            ] {
                let answer = try await door.ask("GET", "/tours/-/messages?\(query)")
                #expect(answer.status == status && answer.code == code, "\(query)")
            }
        }
    }
}
