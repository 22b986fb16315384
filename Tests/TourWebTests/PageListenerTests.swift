import CSodium
import Foundation
import NIOCore
import Testing
import TourJSON
import TourModel
import TourNode
import TourWeb

/// Goal: nobody comes through the page's door but the page that was opened with the token, and nothing goes out there
/// that is the socket's alone.
/// Method: a real node; requests as a browser, another page in it, or another user of the machine would make them.
@Suite struct PageListenerTests {
    private static func policy() throws -> String {
        let script = try hash(of: "script"), style = try hash(of: "style")
        return "default-src 'none'; script-src 'self' '\(script)'; style-src 'self' '\(style)'; "
            + "img-src 'self' blob:; media-src blob:; connect-src 'self'; form-action 'none'; "
            + "frame-ancestors 'none'; base-uri 'none'"
    }

    /// Of the one element of that kind in `index.html`, as a browser makes it. Source: CSP Level 3, 2.3.1.
    private static func hash(of element: String) throws -> String {
        let page = String(buffer: try #require(PageFile.all["index.html"]).content)
        let begin = try #require(page.range(of: "<\(element)[^>]*>", options: .regularExpression))
        let end = try #require(page.range(of: "</\(element)>"))
        let content = Array(page[begin.upperBound..<end.lowerBound].utf8)
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, content, UInt64(content.count))
        return "sha256-\(Data(digest).base64EncodedString())"
    }

    @Test func theFilesOfThePageNeedNoToken() async throws {
        let node = try PageNode()
        try await node.run { door in
            let page = try await door.raw("GET", "/")
            #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
            let file = try #require(PageFile.all["index.html"])
            #expect(page.bytes == Array(file.content.readableBytesView))
            #expect(page.headers["cache-control"] == "no-cache")
            let tag = try #require(page.headers["etag"])
            for known in [tag, "\"x\", W/\(tag)"] {
                let again = try await door.raw("GET", "/index.html", ["If-None-Match": known])
                #expect(again.status == 304 && again.bytes.isEmpty && again.headers["etag"] == tag)
            }
            #expect(try await door.raw("GET", "/", ["If-None-Match": "\"x\""]).status == 200)
            let script = try await door.raw("GET", "/chat/chat.js")
            #expect(script.status == 200 && script.headers["content-type"] == "text/javascript; charset=utf-8")
        }
    }

    @Test func aBrowserThatTakesItGetsThePageCompressed() async throws {
        let node = try PageNode()
        try await node.run { door in
            let plain = try await door.raw("GET", "/app.js")
            #expect(plain.headers["content-encoding"] == nil && plain.headers["vary"] == "Accept-Encoding")
            for taken in ["gzip", "br, gzip;q=0.5", "deflate,GZIP"] {
                let packed = try await door.raw("GET", "/app.js", ["Accept-Encoding": taken])
                #expect(packed.status == 200 && packed.headers["content-encoding"] == "gzip", "\(taken)")
                #expect(packed.bytes.starts(with: [0x1F, 0x8B]) && packed.bytes.count < plain.bytes.count / 2)
                let tag = try #require(packed.headers["etag"])
                #expect(tag != plain.headers["etag"])
                let again = try await door.raw("GET", "/app.js", ["Accept-Encoding": taken, "If-None-Match": tag])
                #expect(again.status == 304 && again.bytes.isEmpty)
                #expect(try await door.raw("GET", "/app.js", ["If-None-Match": tag]).status == 200)
            }
            for refused in ["", "br", "gzip;q=0", "br, gzip; q=0.00", "gzipped"] {
                let answer = try await door.raw("GET", "/app.js", ["Accept-Encoding": refused])
                #expect(answer.bytes == plain.bytes && answer.headers["content-encoding"] == nil, "\(refused)")
            }
        }
    }

    @Test func noPathLeadsOutOfThePage() async throws {
        let node = try PageNode()
        try await node.run { door in
            for path in [
                "/../page.json", "/%2e%2e/page.json", "/..%2fpage.json", "/chat/../app.js", "/chat/%2e%2e/app.js",
                "/page.json", "//etc/passwd", "/./app.js", "/app.js/", "/APP.JS", "/app.js%00", "/chat", "/words/",
            ] {
                let answer = try await door.raw("GET", path)
                #expect(answer.status == 404 && answer.code == "not-found", "\(path)")
            }
        }
    }

    @Test func everyRequestNeedsTheToken() async throws {
        let node = try PageNode()
        try await node.run { door in
            let token = door.token
            let other = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
            for given in [
                "", "Bearer", "Bearer ", "Bearer \(other)", "Bearer \(token.uppercased())", "Bearer \(token)0",
                "Bearer \(token.dropLast())", "Bearer  \(token)", "Basic \(token)", token, "Bearer \(token), x",
            ] {
                let answer = try await door.raw("GET", "/v1/tours", ["Authorization": given])
                // A token of digits alone has no other case.
                let isRight = given == "Bearer \(token)"
                #expect(isRight || (answer.status == 401 && answer.code == "unauthorized"), "\(given)")
            }
            #expect(try await door.raw("GET", "/v1/tours", ["Authorization": "bearer \(token)"]).status == 200)
            #expect(try await door.raw("GET", "/v1/tours?token=\(token)").status == 401)
            #expect(try await door.raw("GET", "/v1/tours", ["Cookie": "token=\(token)"]).status == 401)
            for path in ["//v1/tours", "/v1//tours", "/%761/tours", "/x/../v1/tours", "/v1/tours/", "/v1/status"] {
                let answer = try await door.raw("GET", path)
                #expect([401, 404].contains(answer.status), "\(path)")
            }
            #expect(try await door.ask("GET", "/tours").json["tours"]?.list?.count == 1)
        }
    }

    @Test func otherNamesForThisMachineAreRefused() async throws {
        let node = try PageNode()
        try await node.run { door in
            for host in [
                "tour.example", "tour.example:\(door.port)", "127.0.0.1", "127.0.0.1:1", "localhost",
                "localhost.tour.example:\(door.port)", "[::1]:\(door.port)", "127.1:\(door.port)",
                "0.0.0.0:\(door.port)",
                "localhost:\(door.port).tour.example", "",
            ] {
                for path in ["/", "/v1/tours"] {
                    let answer = try await door.raw(
                        "GET", path, ["Host": host, "Authorization": "Bearer \(door.token)"])
                    #expect([400, 421].contains(answer.status), "\(host)")
                    #expect(host.isEmpty || answer.code == "wrong-host", "\(host)")
                }
            }
            #expect(try await door.ask("GET", "/tours", nil, ["Host": "LocalHost:\(door.port)"]).status == 200)
        }
    }

    @Test func otherSitesAreRefused() async throws {
        let node = try PageNode()
        try await node.run { door in
            let foreign = [
                ["Origin": "http://tour.example"], ["Origin": "null"], ["Origin": "https://\(door.host)"],
                ["Origin": "http://localhost:\(door.port)"], ["Origin": "http://127.0.0.1"],
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ]
            for headers in foreign {
                let answer = try await door.ask("POST", "/tours", ["name": "Paris"], headers)
                #expect(answer.status == 403 && answer.code == "wrong-origin", "\(headers)")
                #expect(try await door.raw("GET", "/", headers).status == 403, "\(headers)")
            }
            let own = [
                ["Origin": "http://\(door.host)"], ["Sec-Fetch-Site": "none"], ["Sec-Fetch-Site": "same-origin"],
            ]
            for headers in own {
                #expect(try await door.ask("GET", "/tours", nil, headers).status == 200, "\(headers)")
            }
            let local = "localhost:\(door.port)"
            let answer = try await door.ask("GET", "/tours", nil, ["Host": local, "Origin": "http://\(local)"])
            #expect(answer.status == 200)
            #expect(answer.json["tours"]?.list?.count == 1, "no other site made a tour")
        }
    }

    @Test func everyAnswerTellsTheBrowserItsBounds() async throws {
        let node = try PageNode()
        try await node.run { door in
            let answers = [
                try await door.raw("GET", "/"), try await door.raw("GET", "/none"),
                try await door.raw("GET", "/v1/tours"), try await door.ask("GET", "/tours"),
                try await door.ask("GET", "/none"), try await door.raw("GET", "/", ["Host": "tour.example"]),
                try await door.raw("GET", "/download/none"),
            ]
            #expect(answers.map(\.status) == [200, 404, 401, 200, 404, 421, 404])
            let policy = try Self.policy()
            for answer in answers {
                #expect(answer.headers["content-security-policy"] == policy)
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
                #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
                #expect(answer.headers["permissions-policy"] == "camera=(self), geolocation=(self)")
                #expect(answer.headers["set-cookie"] == nil && answer.headers["access-control-allow-origin"] == nil)
            }
            #expect(answers.dropFirst().allSatisfy { $0.headers["cache-control"] == "no-store" })
        }
    }

    @Test func keyAndPathsAreTheSocketsAlone() async throws {
        let node = try PageNode()
        try await node.run { door in
            for (method, path) in [
                ("PUT", "/passphrase"), ("POST", "/passphrase"), ("POST", "/lock"), ("POST", "/unlock"),
                ("POST", "/wipe"), ("POST", "/backup"),
            ] {
                #expect(try await door.ask(method, path, [:]).status == 404, "\(path)")
            }
            #expect(try await node.ask("POST", "/lock").status == 423)
            try Data("secret".utf8).write(to: node.scratch.appendingPathComponent("x.txt"))
            let path = JSON.text(node.path("x.txt"))
            let sent = try await node.ask("POST", "/tours/-/files", ["path": path])
            let id = try #require(sent.body["id"]?.text)
            let place = try await node.ask("POST", "/notebook/bookmarks", ["title": "A", "url": "geo:1,2"])
            let item = try #require(place.body["id"]?.text)
            let directory: JSON = ["directory": .text(node.scratch.path)]
            let requests: [(String, String, JSON)] = [
                ("POST", "/tours/-/files", ["path": path]),
                ("POST", "/tours/-/files/\(id)/save", directory),
                ("POST", "/tours/-/meeting", ["latitude": 1, "longitude": 2, "text": "x", "photo": path]),
                ("POST", "/notebook/bookmarks", ["title": "B", "url": "geo:1,2", "pictures": [path]]),
                ("PATCH", "/notebook/bookmarks/\(item)", ["file": path]),
                ("POST", "/notebook/bookmarks/\(item)/save", directory),
            ]
            for (method, path, body) in requests {
                let answer = try await door.ask(method, path, body)
                #expect(answer.status == 400 && answer.code == "bad-path", "\(method) \(path)")
            }
            #expect(try await door.ask("GET", "/notebook/bookmarks").lines.count == 1)
        }
    }

    @Test func aTicketOpensThePageOnce() async throws {
        let node = try PageNode()
        try await node.run { door in
            let entry = try await node.ask("POST", "/page/ticket", ["route": "/chat/ab"])
            let address = try #require(entry.body["address"]?.text)
            let parts = address.split(separator: "#", maxSplits: 1)
            #expect(parts.first == "http://\(door.host)/")
            let place = try #require(parts.last?.wholeMatch(of: /ticket=([0-9a-f]{64})\/chat\/ab/))
            let body = Array("{\"ticket\":\"\(place.1)\"}".utf8)
            let asked = try await door.raw("POST", "/v1/page/enter", ["Origin": "http://tour.example"], body)
            #expect(asked.status == 403, "another site spends no ticket")
            let entered = try await door.raw("POST", "/v1/page/enter", [:], body)
            #expect(try JSON(parsing: entered.bytes)["token"]?.text == door.token)
            let again = try await door.raw("POST", "/v1/page/enter", [:], body)
            #expect(again.status == 404 && again.code == "unknown-ticket")
            let token = Array("{\"ticket\":\"\(door.token)\"}".utf8)
            #expect(try await door.raw("POST", "/v1/page/enter", [:], token).status == 404)
            #expect(try await door.ask("POST", "/page/ticket", [:]).status == 404, "the socket's alone")
        }
    }

    @Test func whatThePageCanDoIsTold() async throws {
        let node = try PageNode()
        try await node.run { door in
            let report = try await door.ask("GET", "/page").json
            #expect(report["version"]?.text == ProgramVersion.number)
            #expect(report["languages"]?.list?.compactMap(\.text) == ["en", "tr", "de", "es", "fr", "ar", "ja"])
            for feature in ["scan", "qr", "print", "pictures"] {
                #expect(report["features"]?[feature]?.flag != nil, "\(feature)")
            }
            let address = try await node.ask("GET", "/page").body["address"]?.text
            let told = try PageAccess(#require(address))
            #expect(told == door)
        }
    }
}
