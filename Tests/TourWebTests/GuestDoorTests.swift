import Foundation
import NIOCore
import Testing
import TourCrypto
import TourJSON
import TourModel
import TourNode
import TourWeb

/// Goal: at the door for guests there is the guest page, the sealed channel, and nothing of the owner's.
/// Method: a real node that gives seats, on a port of its own; requests as phones, other sites and people who try
/// paths would make them.
@Suite struct GuestDoorTests {
    /// The door of a node.
    private struct Doorway {
        let port: UInt16
        let node: OfflineNode

        var host: String { "127.0.0.1:\(port)" }

        /// Asks with a Host, unless another one is given; one that is empty is left out.
        func raw(
            _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: [UInt8]? = nil
        ) async throws -> PageAnswer {
            let connection = try await PageConnection.open(port: port)
            defer { connection.close() }
            let length = body.map { ["Content-Length": String($0.count)] } ?? [:]
            let fixed = ["Host": host, "Connection": "close"].merging(length) { given, _ in given }
            let fields = headers.merging(fixed) { given, _ in given }.filter { !$0.value.isEmpty }
            try await connection.send("\(method) \(path) HTTP/1.1\r\n", fields, body ?? [])
            return try await connection.answer()
        }

        func post(_ path: String, _ body: [UInt8], _ headers: [String: String] = [:]) async throws -> PageAnswer {
            try await raw("POST", path, headers, body)
        }

        /// Whether the door is open now: a closed one takes the connection, and ends it.
        func isOpen() async throws -> Bool {
            let connection = try await PageConnection.open(port: port)
            defer { connection.close() }
            try? await connection.send("GET / HTTP/1.1\r\n", ["Host": host, "Connection": "close"])
            return try await !connection.next().isEmpty
        }

        /// Waits for it; a door that stays closed fails the test.
        func untilOpen() async throws {
            for _ in 0..<200 {
                if (try? await isOpen()) == true { return }
                try await Task.sleep(for: .milliseconds(100))
            }
            try #require(await isOpen())
        }
    }

    /// Does the work beside a node that gives seats.
    private static func run(_ work: (Doorway) async throws -> Void) async throws {
        let node = try OfflineNode()
        let doorway = Doorway(port: PageConnection.freePort(), node: node)
        try await node.run(change: { $0.guestsPort = doorway.port }) {
            _ = try await node.ask("POST", "/tours", ["name": "Rome"])
            let seats = try await node.ask("PUT", "/tours/-/seats", ["on": true])
            #expect(seats.status == 200 && seats.body["on"] == true)
            // The answer comes once the door is open, or after two seconds: a busy machine takes longer.
            try await doorway.untilOpen()
            try await work(doorway)
        }
    }

    @Test func theDoorFollowsTheOwnersSwitch() async throws {
        try await Self.run { door in
            let guest = try await PageConnection.open(port: door.port)
            defer { guest.close() }
            try await guest.send("GET / HTTP/1.1\r\n", ["Host": door.host])
            #expect(try await guest.answer().status == 200)
            _ = try await door.node.ask("PUT", "/tours/-/seats", ["on": false])
            // Who is there goes when it closes.
            #expect(try await guest.next().isEmpty)
            #expect(try await !door.isOpen())
            _ = try await door.node.ask("PUT", "/tours/-/seats", ["on": true])
            try await door.untilOpen()
        }
    }

    @Test func theGuestPageIsThereAndNothingBesideIt() async throws {
        try await Self.run { door in
            for (path, file) in GuestFile.all {
                let answer = try await door.raw("GET", "/" + path)
                let isWhole = answer.bytes == Array(file.content.readableBytesView)
                #expect(answer.status == 200 && isWhole && answer.headers["content-type"] == file.mediaType, "\(path)")
                let tag = try #require(answer.headers["etag"])
                #expect(answer.headers["cache-control"] == "no-cache")
                #expect(try await door.raw("GET", "/" + path, ["If-None-Match": tag]).status == 304)
            }
            let page = try await door.raw("GET", "/"),
                packed = try await door.raw("GET", "/", ["Accept-Encoding": "gzip"])
            #expect(page.bytes == Array(try #require(GuestFile.all["index.html"]).content.readableBytesView))
            #expect(packed.headers["content-encoding"] == "gzip" && packed.bytes.count < page.bytes.count)
            let long = String(repeating: "a", count: 8_000)
            for path in [
                "/../page.json", "/%2e%2e/page.json", "/..%2fpage.json", "/words/../app.js", "/words/%2e%2e/app.js",
                "/page.json", "//etc/passwd", "//app.js", "/./app.js", "/app.js/", "/APP.JS", "/app.js%00", "/words",
                "/words/", "/index.html/..", "/node.sock", "/" + long,
            ] {
                let answer = try await door.raw("GET", path)
                #expect(answer.status == 404 && answer.bytes.isEmpty, "\(path.prefix(40))")
            }
            for path in [
                "/seat/hello", "/seat/hello-by-digits", "/seat/ask", "/seat/news", "/seat", "/seat/", "/seat/other",
            ] {
                #expect(try await door.raw("GET", path).status == 404, "\(path)")
                #expect(try await door.raw("PUT", path, [:], []).status == 404, "\(path)")
            }
            // A line that names a whole address says no more than its path.
            #expect(try await door.raw("GET", "http://\(door.host)/v1/status").status == 404)
        }
    }

    /// The addresses of the local API, as `GET /v1/tours/x`.
    private static func ownersRoutes() throws -> [(method: String, path: String)] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Protocol/Schema/local-api.yaml")
        var routes = [(String, String)]()
        var path = ""
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if let start = line.wholeMatch(of: #/  (/\S+):/#) {
                path = String(start.1).replacing(/\{[^}]+\}/, with: "x")
            } else if let method = line.wholeMatch(of: #/    (get|post|put|patch|delete):/#), !path.isEmpty {
                routes.append((method.1.uppercased(), path))
            } else if !line.hasPrefix("  ") {
                path = ""
            }
        }
        return routes
    }

    @Test func noAddressOfTheOwnersIsThere() async throws {
        let routes = try Self.ownersRoutes()
        #expect(routes.count > 60)
        try await Self.run { door in
            for (method, path) in routes {
                let answer = try await door.raw(method, path, ["Authorization": "Bearer x"], Array("{}".utf8))
                #expect(answer.status == 404 && answer.bytes.isEmpty, "\(method) \(path)")
            }
        }
    }

    @Test func everyAnswerTellsTheBrowserItsBounds() async throws {
        try await Self.run { door in
            let answers = [
                try await door.raw("GET", "/"), try await door.raw("GET", "/none"),
                try await door.post("/seat/hello", [1]), try await door.post("/v1/name", []),
            ]
            #expect(answers.map(\.status) == [200, 404, 400, 404])
            for answer in answers {
                let policy = answer.headers["content-security-policy"] ?? ""
                #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"))
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'none'"))
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                #expect(answer.headers["set-cookie"] == nil)
            }
        }
    }

    @Test func otherHostsPagesMayAskTheChannelAndReadNothingElse() async throws {
        try await Self.run { door in
            let other = ["Origin": "http://10.42.0.7:8480"]
            for path in ["/seat/hello", "/seat/ask", "/seat/news"] {
                let asked = try await door.raw(
                    "OPTIONS", path,
                    other.merging([
                        "Access-Control-Request-Method": "POST", "Access-Control-Request-Private-Network": "true",
                    ]) { given, _ in given })
                #expect(asked.status == 204 && asked.headers["access-control-allow-origin"] == "*", "\(path)")
                #expect(asked.headers["access-control-allow-methods"] == "POST")
                #expect(asked.headers["access-control-allow-private-network"] == "true")
                #expect(asked.headers["access-control-allow-credentials"] == nil)
                let answer = try await door.post(path, [0], other)
                #expect(answer.headers["access-control-allow-origin"] == "*", "\(path)")
                #expect(answer.headers["access-control-allow-private-network"] == nil)
            }
            // Digits are tried at the address that somebody typed, by its own page.
            let byDigits = try await door.post("/seat/hello-by-digits", [0], other)
            #expect(byDigits.headers["access-control-allow-origin"] == nil)
            for path in ["/", "/app.js", "/none", "/v1/tours", "/seat/hello-by-digits"] {
                let answer = try await door.raw("GET", path, other)
                #expect(answer.headers["access-control-allow-origin"] == nil, "\(path)")
                #expect(answer.headers["cross-origin-resource-policy"] == "same-origin", "\(path)")
            }
        }
    }

    @Test func otherNamesGetTheWayToTheWelcomeOrNothing() async throws {
        try await Self.run { door in
            for host in [
                "connectivitycheck.gstatic.com", "captive.apple.com", "tour.example:\(door.port)", "127.0.0.1",
                "localhost:\(door.port)", "127.0.0.1:1", "tour.local.example",
            ] {
                let way = try await door.raw("GET", "/generate_204", ["Host": host])
                #expect(way.status == 302 && way.headers["location"] == "http://\(door.host)/welcome", "\(host)")
                let page = try await door.raw("GET", "/", ["Host": host])
                #expect(page.status == 302, "\(host)")
                let refused = try await door.post("/seat/hello", [UInt8](repeating: 1, count: 33), ["Host": host])
                #expect(refused.status == 421 && refused.bytes.isEmpty, "\(host)")
            }
            for host in [door.host, "guide.local", "Guide.LOCAL:\(door.port)"] {
                #expect(try await door.raw("GET", "/", ["Host": host]).status == 200, "\(host)")
            }
            #expect(try await door.raw("GET", "/welcome").status == 200)
        }
    }

    @Test func bodiesAreBoundedBeforeTheyAreRead() async throws {
        try await Self.run { door in
            let stranger = [UInt8](repeating: 7, count: 64)
            for path in ["/seat/ask", "/seat/news"] {
                // No such channel, too little for one, nothing at all.
                for body in [stranger, Array(stranger.prefix(39)), [1], []] {
                    let answer = try await door.post(path, body)
                    #expect(answer.status == 404 && answer.bytes.isEmpty, "\(path) \(body.count)")
                }
                let long = try await door.raw(
                    "POST", path, ["Content-Length": String(GuestLimits.requestBytesMax + 1)])
                #expect(long.status == 413, "\(path)")
                let unknown = try await door.raw("POST", path, ["Transfer-Encoding": "chunked"])
                #expect(unknown.status == 411, "\(path)")
            }
            #expect(try await door.raw("POST", "/seat/hello", ["Content-Length": "34"]).status == 413)
        }
    }

    /// A channel of a phone that has typed the address.
    private static func keylessChannel(
        _ door: Doorway
    ) async throws -> (ask: (String) async throws -> JSON, key: LinkKey) {
        let ephemeral = LinkKeyPair()
        let answer = try await door.post("/seat/hello-by-digits", SeatChannel.hello(ephemeral))
        try #require(answer.status == 200 && answer.bytes.count == 32 + SeatChannel.answerBytes)
        let key = try #require(LinkKey(answer.bytes.prefix(32)))
        let (session, channel) = try #require(
            SeatChannel.begin(Array(answer.bytes.dropFirst(32)), key: key, ephemeral: ephemeral))
        var number: UInt64 = 0
        let ask = { (json: String) async throws -> JSON in
            number += 1
            let box = channel.seal(request: GuestPlaintext.joined(Array(json.utf8)), number: number)
            let head = session + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            let sealed = try await door.post("/seat/ask", head + box)
            let plain = try #require(channel.open(answer: sealed.bytes, number: number))
            let (text, _) = try #require(GuestPlaintext.parts(plain))
            return try JSON(parsing: text)
        }
        return (ask, key)
    }

    @Test func whoHasNoCodeMayShowDigitsAndLearnsNothingElse() async throws {
        try await Self.run { door in
            let seats = try await door.node.ask("GET", "/tours/-/seats")
            let digits = seats.body["digits"]?.text ?? ""
            let (ask, key) = try await Self.keylessChannel(door)
            // The key of the code would show whose device this is, wherever it is met.
            #expect(try await Self.keylessChannel(door).key != key)
            let zeros = String(repeating: "0", count: 64)
            for request in [
                #"{"op":"hello","language":"de"}"#, #"{"op":"messages","before":"end"}"#,
                #"{"op":"enter","pass":"\#(zeros.prefix(32))","name":"Eve","secret":"\#(zeros)"}"#,
            ] {
                #expect(try await ask(request)["error"]?["code"]?.text == "no-seat", "\(request)")
            }
            for odd in ["1234567", "123456789", "1234567x", ""] {
                #expect(try await ask(#"{"op":"digits","digits":"\#(odd)"}"#)["error"]?["code"]?.text == "bad-request")
            }
            let right = try await ask(#"{"op":"digits","digits":"\#(digits)","language":"de"}"#)
            let entry = Base64URL.bytes(of: (right["ok"]?["entry"]?.text ?? "?").utf8)
            #expect(entry?.count == 65 && entry?.first == 2, "what the code says")
            let wrong = digits == "12345678" ? "87654321" : "12345678"
            let (again, _) = try await Self.keylessChannel(door)
            var codes = [String]()
            for _ in 0..<6 {
                codes.append(
                    try await again(#"{"op":"digits","digits":"\#(wrong)"}"#)["error"]?["code"]?.text ?? "none")
            }
            // Of one address five at once; of all phones together there are not many more.
            #expect(codes == Array(repeating: "wrong-digits", count: 5) + ["slow-down"])
        }
    }

    @Test func aHelloIsAnsweredAndTooManyAreNot() async throws {
        try await Self.run { door in
            let ephemeral = LinkKeyPair()
            let hello = SeatChannel.hello(ephemeral)
            let answer = try await door.post("/seat/hello", hello)
            #expect(answer.status == 200 && answer.bytes.count == SeatChannel.answerBytes)
            #expect(answer.headers["cache-control"] == "no-store")
            // Whoever has another key than that of the code learns that another one answers.
            #expect(SeatChannel.begin(answer.bytes, key: LinkKeyPair().publicKey, ephemeral: ephemeral) == nil)
            let session = Array(answer.bytes[32..<48])
            let noise = session + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 9, count: 40)
            #expect(try await door.post("/seat/ask", noise).status == 404)
            #expect(try await door.post("/seat/hello", [2] + hello.dropFirst()).status == 400)
            #expect(try await door.post("/seat/hello", [1] + [UInt8](repeating: 0, count: 32)).status == 400)
            var statuses = [Int]()
            for _ in 0..<60 { statuses.append(try await door.post("/seat/hello", hello).status) }
            #expect(statuses.prefix(20).allSatisfy { $0 == 200 } && statuses.contains(429))
        }
    }
}
