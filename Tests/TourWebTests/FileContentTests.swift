import Foundation
import Testing
import TourJSON
import TourNode
import TourWeb

/// Goal: files go out in the parts that are asked for, and by a link once; files come in as bytes, whole or not at all.
/// Method: a real node; requests by the page's door, some of which break off.
@Suite struct FileContentTests {
    /// Three chunks and a bit.
    private static let content = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    private static func upload(
        _ bytes: [UInt8], _ query: String, _ door: PageAccess, path: String = "/tours/-/uploads"
    ) async throws -> PageAnswer {
        try await door.raw("POST", "/v1\(path)?\(query)", ["Authorization": "Bearer \(door.token)"], bytes)
    }

    private static func part(_ range: String, _ path: String, _ door: PageAccess) async throws -> PageAnswer {
        try await door.ask("GET", path, nil, ["Range": range])
    }

    @Test func aFileGoesInAndOut() async throws {
        let node = try PageNode()
        try await node.run { door in
            let sent = try await Self.upload(
                Self.content, "name=a%20b%2525%20%C3%A9.pdf&caption=for%20all%20%26%20me", door)
            #expect(sent.status == 200 && sent.json["name"] == "a b%25 é.pdf" && sent.json["size"] == 200_001)
            #expect(node.uploads.isEmpty)
            let id = try #require(sent.json["id"]?.text)
            let message = try #require(try await door.ask("GET", "/tours/-/messages").lines.first)
            #expect(message["content"] == "for all & me" && message["type"] == "file")

            let whole = try await door.ask("GET", "/tours/-/files/\(id)/content")
            #expect(whole.status == 200 && whole.bytes == Self.content)
            #expect(whole.headers["content-length"] == "200001" && whole.headers["accept-ranges"] == "bytes")
            #expect(whole.headers["content-type"] == "application/octet-stream")
            #expect(
                whole.headers["content-disposition"] == "attachment; filename*=UTF-8''a%20b%2525%20%C3%A9.pdf")
            #expect(whole.headers["cache-control"] == "no-store")
            #expect(try await door.ask("GET", "/tours/-/files/00000000/content").code == "unknown-message")
            let empty = try await Self.upload([], "name=empty", door)
            let none = try await door.ask("GET", "/tours/-/files/\(empty.json.shown("id"))/content")
            #expect(none.status == 200 && none.bytes.isEmpty)
        }
    }

    @Test func partsAreGivenAsTheyAreAskedFor() async throws {
        let node = try PageNode()
        try await node.run { door in
            let sent = try await Self.upload(Self.content, "name=x", door)
            let path = "/tours/-/files/\(sent.json.shown("id"))/content"
            let last = Self.content.count - 1
            for (range, part) in [
                ("bytes=0-0", 0...0), ("bytes=65535-65536", 65_535...65_536), ("bytes=1-", 1...last),
                ("bytes=-3", last - 2...last), ("bytes=-999999", 0...last), ("bytes=200000-200000", last...last),
                ("bytes=100-99999999999999999999", 100...last), ("Bytes=0-199999", 0...last - 1),
            ] {
                let answer = try await Self.part(range, path, door)
                #expect(answer.status == 206 && answer.bytes == Array(Self.content[part]), "\(range)")
                #expect(
                    answer.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound)/200001", "\(range)")
            }
            for range in ["bytes=200001-", "bytes=200001-300000", "bytes=-0"] {
                let answer = try await Self.part(range, path, door)
                #expect(answer.status == 416 && answer.bytes.isEmpty, "\(range)")
                #expect(answer.headers["content-range"] == "bytes */200001", "\(range)")
            }
            for range in ["bytes=0-1,3-4", "lines=0-1", "bytes=5-2", "bytes=-", "bytes=a-b", "bytes=+1-2", "bytes"] {
                let answer = try await Self.part(range, path, door)
                #expect(answer.status == 200 && answer.bytes.count == Self.content.count, "\(range)")
            }
            let tag = try #require(try await Self.part("bytes=0-0", path, door).headers["etag"])
            for (known, status) in [(tag, 206), ("\"other\"", 200)] {
                let answer = try await door.ask("GET", path, nil, ["Range": "bytes=0-9", "If-Range": known])
                #expect(answer.status == status)
            }
        }
    }

    @Test func aTicketIsForOneDownload() async throws {
        let node = try PageNode()
        try await node.run { door in
            let sent = try await Self.upload(Self.content, "name=x.txt", door)
            let path = "/tours/-/files/\(sent.json.shown("id"))/ticket"
            let url = try #require(try await door.ask("POST", path).json["url"]?.text)
            #expect(url.wholeMatch(of: /\/download\/[0-9a-f]{64}/) != nil)
            #expect(try await door.raw("GET", url, ["Host": "tour.example"]).status == 421)
            #expect(try await door.raw("GET", url, ["Sec-Fetch-Site": "cross-site"]).status == 403)
            let first = try await door.raw("GET", url)
            #expect(first.status == 200 && first.bytes == Self.content)
            #expect(first.headers["content-disposition"] == "attachment; filename*=UTF-8''x.txt")
            let second = try await door.raw("GET", url)
            #expect(second.status == 404 && second.code == "unknown-ticket")
            #expect(try await door.raw("POST", "/v1" + path).status == 401)
            #expect(try await door.ask("POST", "/tours/-/files/00000000/ticket").code == "unknown-message")
        }
    }

    @Test func ticketsEndAndAreFew() {
        let desk = DownloadTickets<Ticket>()
        let start = ContinuousClock.now
        let ticket = Ticket(tour: "t", file: "f")
        let inTime = desk.issue(ticket, now: start)
        #expect(desk.redeem(inTime, now: start + .seconds(59)) == ticket)
        let late = desk.issue(ticket, now: start)
        #expect(desk.redeem(late, now: start + .seconds(60)) == nil)
        #expect(desk.redeem(late, now: start) == nil, "a late one is used up")
        #expect(desk.redeem("", now: start) == nil)
        let words = (0...TicketLimits.ticketsMax).map { _ in desk.issue(ticket, now: start) }
        #expect(Set(words).count == words.count)
        #expect(desk.redeem(words[0], now: start) == nil)
        #expect(words.dropFirst().allSatisfy { desk.redeem($0, now: start) == ticket })
    }

    @Test func whatBreaksOffLeavesNothing() async throws {
        let node = try PageNode()
        try await node.run { door in
            let head = "POST /v1/tours/-/uploads?name=x HTTP/1.1\r\n"
            let headers = [
                "Host": door.host, "Authorization": "Bearer \(door.token)", "Content-Length": "1000000",
            ]
            for bytes in [0, 10, 600_000] {
                let connection = try await PageConnection.open(port: door.port)
                try await connection.send(head, headers, Array(repeating: 1, count: bytes))
                // It is on its way once its scratch file is there.
                try await Self.wait("\(bytes)") { !node.uploads.isEmpty }
                connection.close()
                try await Self.wait("\(bytes)") { node.uploads.isEmpty }
            }
            #expect(try await door.ask("GET", "/tours/-/messages").lines.isEmpty)
            #expect(try await door.ask("GET", "/tours/-/files").json["files"] == [])
        }
    }

    @Test func theNextStartRemovesWhatIsLeft() async throws {
        let node = try PageNode()
        try await node.run(isOffline: false) { _ in }
        try FileManager.default.createDirectory(
            atPath: node.path("data/uploads"), withIntermediateDirectories: true)
        try Data("left".utf8).write(to: URL(fileURLWithPath: node.path("data/uploads/left")))
        try await node.run(isOffline: false) { _ in #expect(node.uploads.isEmpty) }
    }

    @Test func whatCannotBeSentIsRefused() async throws {
        let node = try PageNode()
        try await node.run { door in
            func refusal(_ length: String, _ path: String) async throws -> [String] {
                let answer = try await door.raw(
                    "POST", "/v1" + path,
                    ["Authorization": "Bearer \(door.token)", "Content-Length": length])
                return [String(answer.status), answer.code ?? ""]
            }
            #expect(try await refusal("1073741825", "/tours/-/uploads?name=x") == ["400", "file-too-large"])
            #expect(try await refusal("67108865", "/uploads?name=x") == ["400", "file-too-large"])
            #expect(try await refusal("1", "/tours/Nowhere/uploads?name=x") == ["404", "unknown-tour"])
            let unsized = try await door.raw(
                "POST", "/v1/tours/-/uploads?name=x",
                ["Authorization": "Bearer \(door.token)", "Content-Length": "", "Transfer-Encoding": "chunked"],
                Array("1\r\nx\r\n0\r\n\r\n".utf8))
            #expect(unsized.status == 400 && unsized.code == "bad-request")
            let reply = try await Self.upload([1], "name=x&replyTo=00000000", door)
            #expect(reply.code == "unknown-message" && node.uploads.isEmpty)
            #expect(try await door.ask("GET", "/tours/-/files").json["files"] == [])
        }
    }

    @Test func anUploadForAMeetingWaitsForItsUse() async throws {
        let node = try PageNode()
        try await node.run { door in
            var ids = [String]()
            for _ in 0..<8 {
                let answer = try await Self.upload([1, 2, 3], "name=gate.jpg", door, path: "/uploads")
                ids.append(try #require(answer.json["upload"]?.text))
            }
            #expect(Set(ids).count == 8 && node.uploads.count == 8)
            let ninth = try await Self.upload([1], "name=x", door, path: "/uploads")
            #expect(ninth.status == 503 && ninth.code == "busy")
            // It is no picture: the meeting point is not set, and the file may be used again.
            for _ in 0..<2 {
                let answer = try await door.ask(
                    "POST", "/tours/-/meeting",
                    ["latitude": 1, "longitude": 2, "text": "x", "upload": .text(ids[0])])
                #expect(answer.status >= 400 && answer.code != "unknown-upload")
            }
            #expect(try await door.ask("GET", "/tours/-/meeting").json["meeting"] == .null)
            let unknown = try await door.ask(
                "POST", "/tours/-/meeting", ["latitude": 1, "longitude": 2, "text": "x", "upload": "abc"])
            #expect(unknown.status == 404 && unknown.code == "unknown-upload")
        }
    }

    /// Looks until it is so.
    private static func wait(_ what: String, _ isSo: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isSo() {
            try #require(ContinuousClock.now < end, "\(what)")
            await Task.yield()
        }
    }
}
