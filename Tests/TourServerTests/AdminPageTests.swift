import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: nobody but the operator gets through the listener of the operator's page, by whatever way.
/// Method: every one of its routes, held against the server's own table, with each thing missing or wrong; a whole
/// server, and links that a command makes beside it.
struct AdminPageTests {
    /// Every route of the listener: what it answers the operator on a server with one account.
    private static let rows: [(route: String, body: String?, status: Int)] = [
        ("GET /", nil, 200), ("GET /admin.css", nil, 200), ("GET /admin.js", nil, 200),
        ("GET /admin/api/healthz", nil, 200), ("GET /admin/api/readyz", nil, 200),
        ("GET /admin/api/metrics", nil, 200), ("GET /admin/api/limits", nil, 200),
        ("GET /admin/api/session", nil, 200),
        // The link is none.
        ("POST /admin/api/session", #"{"token":"x"}"#, 401),
        ("GET /admin/api/accounts", nil, 200), ("GET /admin/api/accounts/{account}", nil, 200),
        ("POST /admin/api/accounts/{account}/disable", nil, 200),
        ("POST /admin/api/accounts/{account}/enable", nil, 200),
        ("POST /admin/api/accounts/{account}/reset", nil, 200),
        ("DELETE /admin/api/accounts/{account}/sessions", nil, 200),
        // There are none of these.
        ("DELETE /admin/api/accounts/{account}/sessions/{session}", nil, 404),
        ("GET /admin/api/tours", nil, 200), ("GET /admin/api/tours/{tour}", nil, 404),
        ("DELETE /admin/api/tours/{tour}", nil, 404), ("GET /admin/api/invitations", nil, 200),
        ("GET /admin/api/organisations", nil, 200), ("GET /admin/api/organisations/{organisation}", nil, 404),
        ("GET /admin/api/organisations/{organisation}/members", nil, 404),
        ("POST /admin/api/organisations", #"{"name":"x","admin":"2"}"#, 404),
        ("POST /admin/api/organisations/{organisation}/handover", #"{"tour":"x","to":"1"}"#, 404),
        ("DELETE /admin/api/organisations/{organisation}", nil, 404),
        ("GET /admin/api/bans", nil, 200), ("POST /admin/api/bans", #"{"target":"203.0.113.7"}"#, 200),
        ("DELETE /admin/api/bans/{target}", nil, 404), ("GET /admin/api/texts", nil, 200),
        ("GET /admin/api/audit", nil, 200),
        ("DELETE /admin/api/accounts/{account}", nil, 200), ("DELETE /admin/api/session", nil, 204),
    ]

    private struct Request {
        let method: HTTPMethod
        let path: String
        let body: String?
        let status: Int
        var isFile: Bool { !path.hasPrefix("/admin/api/") }
        /// Without what every path of the API begins with.
        var rest: String { String(path.dropFirst("/admin/api".count)) }

        init(_ row: (route: String, body: String?, status: Int)) {
            let words = row.route.split(separator: " ")
            method = HTTPMethod(rawValue: String(words[0]))
            path = String(words[1]).replacing(/\{\w+\}/, with: "1")
            (body, status) = (row.body, row.status)
        }
    }

    private static var requests: [Request] { rows.map(Request.init) }

    @Test func theTableHasEveryRoute() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let settings = ServerSettings.data(in: directory)
        let door = try OpenedServer(settings: settings)
        let page = try #require(ServerSettings.AdminPage(listener: .init(host: "localhost", port: 0)))
        let routes = AdminRoutes(page, door: door, parts: try ContractTests.parts(), settings: settings).routes
        #expect(Set(routes.map { "\($0.method) \($0.path)" }) == Set(Self.rows.map(\.route)))
        #expect(routes.count == Self.rows.count)
        try await door.storage.close()
    }

    @Test func nothingIsAnsweredWithoutBothSecretsOrFromAnotherSite() async throws {
        try await AdminPage.run { server async throws in
            _ = try await server.newAccount("a@example.org")
            let page = try await AdminPage(server)
            let port = try #require(server.adminPort)
            let own = ("Origin", "http://127.0.0.1:\(port)")
            let secrets = [("Cookie", page.cookie), ("X-Admin-Key", page.key)]
            for request in Self.requests where !request.isFile && request.path != "/admin/api/session" {
                func answer(_ headers: [(String, String)]) async throws -> Int {
                    try await server.send(request.method, request.path, request.body, headers: headers, port: port)
                        .status
                }
                let name = "\(request.method) \(request.path)"
                #expect(try await answer([own]) == 401, "\(name)")
                #expect(try await answer([own, secrets[0]]) == 401, "\(name)")
                #expect(try await answer([own, secrets[1]]) == 401, "\(name)")
                let wrong = [secrets[0], ("X-Admin-Key", String(page.cookie.suffix(43)))]
                #expect(try await answer([own] + wrong) == 401, "\(name)")
                for other in ["http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1:\(port)", "null"] {
                    #expect(try await answer([("Origin", other)] + secrets) == 403, "\(name) from \(other)")
                }
                #expect(try await answer([own, ("Sec-Fetch-Site", "cross-site")] + secrets) == 403, "\(name)")
                #expect(try await answer([own, ("Sec-Fetch-Site", "same-site")] + secrets) == 403, "\(name)")
                let rebound = [("Host", "evil.example:\(port)"), ("Origin", "http://evil.example:\(port)")]
                #expect(try await answer(rebound + secrets) == 403, "\(name)")
                if request.method != .GET { #expect(try await answer(secrets) == 403, "\(name)") }
                guard request.body != nil else { continue }
                for type in ["", "application/x-www-form-urlencoded", "text/plain"] {
                    #expect(try await answer([own, ("Content-Type", type)] + secrets) == 415, "\(name) \(type)")
                }
            }
            // Of all these acts none was done.
            #expect(try await page.audit() == ["operator:dispatcher on the page page-opened"])
            #expect(try await server.logIn("a@example.org").status == 200)
        }
    }

    @Test func theWayInIsForThePagesOwnSite() async throws {
        try await AdminPage.run { server async throws in
            let port = try #require(server.adminPort)
            let body = #"{"token":"\#(try await AdminPage.token(of: server))"}"#
            let wrong: [[(String, String)]] = [
                [], [("Origin", "http://evil.example")],
                [("Host", "evil.example"), ("Origin", "http://evil.example")],
            ]
            for headers in wrong {
                let reply = try await server.send(.POST, "/admin/api/session", body, headers: headers, port: port)
                #expect(reply.status == 403 && reply.headers.first(name: "Set-Cookie") == nil)
            }
            // None of them used the link up.
            #expect(try await AdminPage.ask(server, .POST, "/session", body).status == 201)
            for request in Self.requests where request.isFile {
                let reply = try await server.send(.GET, request.path, port: port)
                let policy = try #require(reply.headers.first(name: "Content-Security-Policy"))
                #expect(reply.status == 200 && policy.hasPrefix("default-src 'none'; script-src 'self';"))
                #expect(!policy.contains("unsafe") && reply.headers.first(name: "X-Content-Type-Options") == "nosniff")
                let rebound = try await server.send(.GET, request.path, headers: [("Host", "evil.example")], port: port)
                #expect(rebound.status == 403, "\(request.path)")
                let tunnel = try await server.send(.GET, request.path, headers: [("Host", "localhost:1")], port: port)
                #expect(tunnel.status == 200, "\(request.path)")
                #expect(!reply.text.contains("http://") && !reply.text.contains("https://"), "\(request.path)")
            }
        }
    }

    @Test func eachRouteAnswersTheOperatorAndNoOtherListenerHasIt() async throws {
        try await AdminPage.run { server async throws in
            _ = try await server.newAccount("a@example.org")
            let page = try await AdminPage(server)
            for request in Self.requests {
                let name = "\(request.method) \(request.path)"
                #expect(try await server.send(request.method, request.path, request.body).status == 404, "\(name)")
                #expect(try await server.ask(request.path, request.method).status == 404, "\(name)")
                guard !request.isFile else { continue }
                let reply = try await page.ask(request.method, request.rest, request.body)
                #expect(reply.status == request.status, "\(name): \(reply.text)")
            }
            // What clients have is not here.
            for path in ["/auth/me", "/metrics", "/openapi.yaml", "/admin/api/nothing"] {
                #expect(try await server.send(.GET, path, port: server.adminPort).status == 404, "\(path)")
            }
        }
        try await RunningServer.run { server async throws in #expect(server.adminPort == nil) }
    }

    @Test func aLinkOpensOnceAndInTime() async throws {
        try await AdminPage.run { server async throws in
            let token = try await AdminPage.token(of: server)
            let reply = try await AdminPage.open(token, on: server)
            let cookie = try #require(reply.headers.first(name: "Set-Cookie"))
            for part in ["; Max-Age=28800", "; Path=/", "; HttpOnly", "; SameSite=Strict"] {
                #expect(cookie.contains(part), "\(cookie)")
            }
            #expect(reply.status == 201 && !cookie.contains("Secure") && !cookie.contains(token))
            let used = try await AdminPage.open(token, on: server)
            #expect(used.status == 401 && used.message == "the link was used already, or is too old")
            let key = try #require(try reply.decoded(AdminPage.Session.self).key)
            let value = String(cookie.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst())
            for secret in [token, key, value] { #expect(try !server.databaseHolds(secret.utf8)) }
            let late = try await AdminPage.token(of: server)
            server.clock.advance(seconds: ServerLimits.pageLinkLifetime)
            #expect(try await AdminPage.open(late, on: server).status == 401)
        }
    }

    @Test func aSessionEndsByItsTimeByItsButtonAndByTheCommand() async throws {
        try await AdminPage.run { server async throws in
            let (first, second) = (try await AdminPage(server), try await AdminPage(server))
            #expect(try await first.ask(.GET, "/session").decoded(AdminPage.Session.self).operator == "dispatcher")
            #expect(try await first.ask(.DELETE, "/session").status == 204)
            #expect(try await first.ask(.GET, "/accounts").status == 401)
            #expect(try await second.ask(.GET, "/accounts").status == 200)
            _ = try await AdminPage.token(of: server)
            #expect(try await server.asOperator { try await $0.closePage() } == 2)
            #expect(try await second.ask(.GET, "/accounts").status == 401)
            let last = try await AdminPage(server)
            #expect(try await last.audit().contains("operator:dispatcher page-closed"))
            server.clock.advance(seconds: ServerLimits.pageSessionLifetime - 1)
            #expect(try await last.ask(.GET, "/accounts").status == 200)
            server.clock.advance(seconds: 1)
            #expect(try await last.ask(.GET, "/accounts").status == 401)
        }
    }

    @Test func linksCannotBeGuessedAtLeisure() async throws {
        try await AdminPage.run { server async throws in
            var statuses = Set<Int>()
            for _ in 0..<30 { statuses.insert(try await AdminPage.open("x", on: server).status) }
            #expect(statuses == [401, 429])
            // That keeps out nobody who has a link.
            #expect(try await AdminPage.open(try await AdminPage.token(of: server), on: server).status == 201)
        }
    }

    /// Nor does a ban of this machine's address, or of a proxy's.
    @Test func theOperatorCannotBeBannedFromThePage() async throws {
        try await AdminPage.run { server async throws in
            let page = try await AdminPage(server)
            #expect(try await page.ask(.POST, "/bans", #"{"target":"127.0.0.1"}"#).status == 200)
            #expect(try await server.repeats { try await server.send(.GET, "/auth/me").code == "banned" })
            #expect(try await page.ask(.GET, "/bans").status == 200)
            #expect(try await page.ask(.DELETE, "/bans/127.0.0.1").status == 200)
        }
    }

    @Test func itListensWhereNobodyElseReads() throws {
        func page(_ host: String, _ url: String? = nil) -> ServerSettings.AdminPage? {
            ServerSettings.AdminPage(listener: .init(host: host, port: 9_465), url: url)
        }
        for host in ["127.0.0.1", "127.1.2.3", "::1", "localhost"] { #expect(page(host) != nil, "\(host)") }
        let others = ["0.0.0.0", "::", "192.168.1.7", "203.0.113.7", "localhost.example", "127.0.0.1.example"]
        for host in others {
            #expect(page(host) == nil, "\(host)")
            #expect(page(host, "http://admin.example") == nil, "\(host)")
            #expect(page(host, "https://admin.example") != nil, "\(host)")
        }
        let wrong = [
            "https://admin.example/x", "admin.example", "https://", "https://a b", "https://x@admin.example",
            "http://admin.example",
        ]
        for url in wrong {
            #expect(page("127.0.0.1", url) == nil, "\(url)")
        }
        // As a browser names the site.
        for url in ["https://admin.example/", "https://admin.example:443", "https://admin.example:443/"] {
            #expect(page("127.0.0.1", url)?.url == "https://admin.example", "\(url)")
        }
    }

    @Test func aProxysNameIsItsOwnToo() async throws {
        try await AdminPage.run(url: "https://admin.example") { server async throws in
            let port = try #require(server.adminPort)
            let link = try await server.asOperator { try await $0.pageLink(for: "dispatcher").url }
            #expect(link.hasPrefix("https://admin.example/#"))
            let body = #"{"token":"\#(link.split(separator: "#")[1])"}"#
            for (host, origin) in [("evil.example", "https://evil.example"), ("admin.example", "http://evil.example")] {
                let headers = [("Host", host), ("Origin", origin)]
                let refused = try await server.send(.POST, "/admin/api/session", body, headers: headers, port: port)
                #expect(refused.status == 403)
            }
            let own = [("Host", "admin.example"), ("Origin", "https://admin.example")]
            let reply = try await server.send(.POST, "/admin/api/session", body, headers: own, port: port)
            #expect(reply.status == 201 && reply.headers.first(name: "Set-Cookie")?.hasSuffix("; Secure") == true)
        }
    }

    @Test func aLinkNeedsAServerThatRuns() async throws {
        try await RunningServer.run { server async throws in
            let refused = await #expect(throws: Failure.self) { _ = try await AdminPage.token(of: server) }
            #expect(refused?.code == .notFound)
        }
        try await AdminPage.run { server async throws in
            let link = try await server.asOperator { try await $0.pageLink(for: "dispatcher").url }
            #expect(link.hasPrefix("http://127.0.0.1:\(try #require(server.adminPort))/#"))
        }
    }
}
