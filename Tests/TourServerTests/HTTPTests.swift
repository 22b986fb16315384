import Foundation
import HTTPTypes
import NIOHTTP1
import ServerBase
import ServerRequests
import Testing
import TourServer

/// Goal: every request that is wrong is answered as the contract says, and none brings the server down.
/// Method: a whole server over HTTP; the table of routes says what is tried.
struct HTTPTests {
    /// A path of the table with something in the place of each parameter.
    private static func path(_ route: Route, _ value: String = "1") -> String {
        route.path.split(separator: "/").map { $0.hasPrefix("{") ? value : String($0) }
            .reduce(into: "") { $0 += "/" + $1 }
    }

    private static func routes() throws -> [Route] { try ContractTests.parts().routes }

    private static func readsJSON(_ route: Route) -> Bool {
        if case .json = route.body { true } else { false }
    }

    private static let probes = ["/healthz", "/readyz", "/metrics", "/openapi.yaml"]

    @Test func withoutATokenOnlyOpenRoutesAnswer() async throws {
        let routes = try Self.routes()
        try await RunningServer.run { server async throws in
            for route in routes where route.access != .open {
                for token in [nil, "nonsense"] {
                    let reply = try await server.send(
                        HTTPMethod(rawValue: route.method.rawValue), Self.path(route), token: token,
                        route.body == .none ? nil : "{}")
                    #expect(reply.status == 401 && reply.code == "unauthenticated", "\(route.method) \(route.path)")
                }
            }
        }
    }

    @Test func rolesAreKept() async throws {
        let routes = try Self.routes()
        try await RunningServer.run { server async throws in
            let user = try await server.newAccount("user@example.org").access_token
            for route in routes {
                guard case .role = route.access else { continue }
                let reply = try await server.send(
                    HTTPMethod(rawValue: route.method.rawValue), Self.path(route), token: user,
                    route.body == .none ? nil : "{}")
                #expect(reply.status == 403 && reply.code == "forbidden", "\(route.method) \(route.path)")
            }
        }
    }

    @Test func otherMethodsAreRefusedWithTheOnesThatGo() async throws {
        let routes = try Self.routes()
        try await RunningServer.run { server async throws in
            for path in Set(routes.map(\.path)) {
                let allowed = routes.filter { $0.path == path }.map(\.method.rawValue)
                for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"] where !allowed.contains(method) {
                    let sample = try #require(routes.first { $0.path == path })
                    let reply = try await server.send(HTTPMethod(rawValue: method), Self.path(sample))
                    #expect(reply.status == 405 && reply.code == "method-not-allowed", "\(method) \(path)")
                    let header = reply.headers.first(name: "Allow") ?? ""
                    for name in allowed { #expect(header.contains(name), "\(method) \(path)") }
                }
            }
        }
    }

    /// Bodies that fit no route, with the status that they get.
    private static let badBodies: [(body: String, type: String, status: Int)] = [
        ("", "application/json", 400),
        ("{", "application/json", 400),
        ("{\"a\":1} x", "application/json", 400),
        ("\u{FEFF}\u{0}", "application/json", 400),
        (String(repeating: "[", count: 20_000), "application/json", 400),
        (String(repeating: "{\"a\":", count: 10_000), "application/json", 400),
        ("null", "application/json", 422),
        ("[]", "application/json", 422),
        ("17", "application/json", 422),
        ("{}", "application/json", 422),
        ("{}", "text/plain", 415),
        ("{}", "text/plain;charset=UTF-8", 415),
        ("{}", "multipart/form-data; boundary=x", 415),
        // The type that a client writes where its user names none.
        ("{}", "application/x-www-form-urlencoded", 422),
        ("{}", "", 422),
        ("a=1", "application/x-www-form-urlencoded", 400),
        (String(repeating: " ", count: 70_000), "application/json", 413),
    ]

    /// Some routes take longer bodies; and some need no field: one answers, the others look for what is not there.
    private static func status(_ usual: Int, of body: String, _ route: Route) -> Int {
        if usual == 413, case .json(let bytesMax) = route.body, bytesMax > body.utf8.count { return 400 }
        guard usual == 422, body == "{}" else { return usual }
        return switch route.path {
        case "/auth/member/nonce", "/api/v1/sync/delta": 200
        case "/groups/{id}", "/notes/{id}", "/collections/{id}", "/samples/{id}", "/auth/second-factor/remove",
            "/auth/second-factor/recovery-codes", "/organisations/{id}/join", "/organisations/{id}/invitations":
            404
        default: usual
        }
    }

    @Test func badBodiesAreRefusedByEveryRouteThatReadsOne() async throws {
        let routes = try Self.routes().filter(Self.readsJSON)
        #expect(!routes.isEmpty)
        // A server for each: the limits have their own tests.
        for route in routes {
            try await RunningServer.run { server async throws in
                let token = try await Self.admin(on: server)
                for (body, type, usual) in Self.badBodies {
                    let status = Self.status(usual, of: body, route)
                    let reply = try await server.send(
                        HTTPMethod(rawValue: route.method.rawValue), Self.path(route), token: token, body,
                        headers: [("Content-Type", type)])
                    #expect(
                        reply.status == status && (reply.code != nil) == (status != 200),
                        "\(route.path) \(body.prefix(12)) \(type): \(reply.status) \(reply.text)")
                }
            }
        }
    }

    /// A tour is looked for before a proof is read, a collection before its sample is; any text is a note, and the name
    /// of an organisation, which the operator alone makes.
    private static let others = [
        "/groups/{id}/bind": 404, "/collections/{id}/samples": 404, "/notes": 201, "/organisations": 403,
        "/organisations/{id}": 404,
    ]

    /// Fields of the wrong type, empty, too long and of other scripts, in every field that any route reads.
    @Test func badFieldsAreNamedAndNeverAFault() async throws {
        let fields = [
            "email", "password", "phone", "code", "refresh_token", "current_password", "role", "memberId", "groupId",
            "nonce", "signature", "genesis", "controls", "name", "messages", "isActive", "startDate", "endDate",
            "invite",
            "challenge", "keys", "title", "content", "description", "materialType", "note", "place", "at", "isDeleted",
            "sampleId", "sampleIds", "collectionIds",
        ]
        let values = [
            "17", "true", "null", "[]", "{}", "\"\"", "1e999", "\"\\u0000\"", "\"\\ud800\"",
            "\"" + String(repeating: "a", count: 40_000 / fields.count) + "\"", "\"😀\"",
        ]
        for route in try Self.routes().filter(Self.readsJSON) {
            try await RunningServer.run { server async throws in
                let token = try await Self.admin(on: server)
                for value in values {
                    let body = "{" + fields.map { "\"\($0)\":\(value)" }.joined(separator: ",") + "}"
                    let reply = try await server.send(
                        HTTPMethod(rawValue: route.method.rawValue), Self.path(route), token: token, body)
                    // 401: what cannot be a password, a code or a token is a wrong one; 200 and 404: see `status`.
                    let other = Self.others[route.path] ?? Self.status(422, of: "{}", route)
                    let statuses = [400, 401, 422, other]
                    #expect(statuses.contains(reply.status), "\(route.path) \(value.prefix(12)): \(reply.text)")
                    guard reply.status == 422 else { continue }
                    let field = reply.field?.split(separator: "[").first.map { String($0) }
                    #expect(fields.contains(field ?? ""), "\(route.path): \(reply.text)")
                }
            }
        }
    }

    @Test func addressesAreFoundWithAndWithoutASlash() async throws {
        try await RunningServer.run { server async throws in
            for path in Self.probes {
                #expect(try await server.send(.GET, path).status == 200)
                #expect(try await server.send(.GET, path + "/").status == 200)
            }
            for path in ["/", "/auth", "/nothing", "/auth/me/x", "/auth//me", "//auth/me", "/auth/me//"] {
                let reply = try await server.send(.GET, path)
                #expect(reply.status == 404 && reply.code == "not-found", "\(path)")
            }
            #expect(try await server.send(.GET, "/auth/%6De?x=1").status == 401, "the same address, escaped")
            let long = try await server.send(.GET, "/" + String(repeating: "a", count: 3_000))
            #expect(long.status == 414)
            let head = try await server.send(.HEAD, "/healthz")
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    /// Clients of tests mend such addresses before they send them, so the table itself is asked.
    @Test(arguments: ["/auth/%", "/auth/%z", "/auth/%zz", "/auth/%ff", "/auth/%00", "auth", ""])
    func addressesThatCannotBeReadAreBad(path: String) throws {
        let table = RouteTable(try Self.routes())
        let failure = #expect(throws: Failure.self) { try table.match(.get, path) }
        #expect(failure?.code == .badRequest)
    }

    @Test func parametersAreDecoded() throws {
        let match = try RouteTable(try Self.routes()).match(.put, "/accounts/%C4%9F%2F1/role/")
        #expect(match.parameters == ["id": "ğ/1"] && match.route.path == "/accounts/{id}/role")
    }

    @Test func failuresAreInTheClientsLanguage() async throws {
        try await RunningServer.run { server async throws in
            let reply = try await server.send(.GET, "/nothing", headers: [("Accept-Language", "tr,en;q=0.5")])
            #expect(reply.message == "Böyle bir şey yok." && reply.headers.first(name: "Content-Language") == "tr")
            #expect(reply.headers.first(name: "X-Request-Id")?.count == 16)
        }
    }

    @Test func oneAddressIsNotServedWithoutEnd() async throws {
        try await RunningServer.run { server async throws in
            var refused: Reply?
            for _ in 0..<30 where refused == nil {
                let reply = try await server.send(.POST, "/auth/login", #"{"email":"x","password":"y"}"#)
                if reply.status == 429 { refused = reply }
            }
            let reply = try #require(refused)
            #expect(reply.code == "too-many-requests")
            let wait = try #require(reply.headers.first(name: "Retry-After").flatMap { Int64($0) })
            #expect((1...15).contains(wait))
            server.clock.advance(seconds: wait)
            let later = try await server.send(.POST, "/auth/login", #"{"email":"x","password":"y"}"#)
            #expect(later.status == 401)
        }
    }

    /// Once the clock is back nobody waits for it to be where it was.
    @Test func aClockThatIsSetBackLocksNobodyOut() async throws {
        try await RunningServer.run { server async throws in
            let body = #"{"email":"x","password":"y"}"#
            #expect(try await server.send(.POST, "/auth/login", body).status == 401)
            server.clock.advance(seconds: -3_600)
            for _ in 0..<10 { #expect(try await server.send(.POST, "/auth/login", body).status == 401) }
            var statuses = Set<Int>()
            for _ in 0..<20 { statuses.insert(try await server.send(.POST, "/auth/login", body).status) }
            #expect(statuses == [401, 429], "it counts on from there")
        }
    }

    @Test func sameWriteTwiceIsDoneOnce() async throws {
        try await RunningServer.run { server async throws in
            let body = #"{"email":"a@example.org","password":"correct horse"}"#
            let key = [("Idempotency-Key", "k-1")]
            let first = try await server.send(.POST, "/auth/signup", body, headers: key)
            let second = try await server.send(.POST, "/auth/signup", body, headers: key)
            #expect(first.status == 201 && second.status == 201 && second.body == first.body)
            let other = try await server.send(
                .POST, "/auth/signup", #"{"email":"b@example.org","password":"correct horse"}"#, headers: key)
            #expect(other.status == 422 && other.code == "idempotency-key-reused")
            let long = try await server.send(
                .POST, "/auth/signup", body, headers: [("Idempotency-Key", String(repeating: "k", count: 129))])
            #expect(long.status == 400)
            // A refusal is not kept.
            let refused = [("Idempotency-Key", "k-2")]
            #expect(try await server.send(.POST, "/auth/signup", body, headers: refused).status == 409)
            #expect(try await server.send(.POST, "/auth/signup", body, headers: refused).status == 409)
            server.clock.advance(seconds: 24 * 60 * 60)
            #expect(try await server.send(.POST, "/auth/signup", body, headers: key).status == 409, "a day later")
        }
    }

    @Test func countersTellOfRoutesAndNotOfWhatClientsMakeUp() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.send(.GET, "/auth/me")
            _ = try await server.send(HTTPMethod(rawValue: "PROPFIND"), "/made-up")
            let text = try await server.send(.GET, "/metrics").text
            #expect(text.contains(#"tour_server_requests_total{method="GET",route="/auth/me",status="401"} 1"#))
            #expect(text.contains(#"method="-",route="-",status="404"} 1"#))
            #expect(!text.contains("PROPFIND") && !text.contains("made-up"))
            #expect(
                text.contains(
                    #"tour_server_request_seconds_bucket{method="GET",route="/auth/me",le="+Inf"} 1"#))
        }
    }

    @Test func clientsBehindAProxyAreCountedByTheirOwnAddress() async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            let stranger = [("X-Forwarded-For", "127.0.0.1, 203.0.113.7")]
            #expect(try await server.send(.GET, "/metrics", headers: stranger).status == 403)
            #expect(try await server.send(.GET, "/metrics").status == 200)
        }
        let written = [
            "203.0.113.7:4711", "[2001:db8::1]:4711", "\"[2001:db8::1]\"", "2001:db8::1", "unknown", "_hidden", "",
            "127.0.0.1,", "127.0.0.1, unknown",
        ]
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            for text in written {
                let headers = [("X-Forwarded-For", text)]
                #expect(try await server.send(.GET, "/metrics", headers: headers).status == 403, "'\(text)'")
            }
        }
        try await RunningServer.run { server async throws in
            let claim = [("X-Forwarded-For", "203.0.113.7")]
            #expect(try await server.send(.GET, "/metrics", headers: claim).status == 200, "nobody's word is taken")
        }
    }

    /// The port that a proxy writes beside it is another one each time.
    @Test func aClientBehindAProxyIsOneWhateverItsPort() async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }) { server async throws in
            var statuses = [Int]()
            for port in 1...30 {
                let headers = [("X-Forwarded-For", "203.0.113.7:\(port)")]
                let reply = try await server.send(
                    .POST, "/auth/login", #"{"email":"x","password":"y"}"#, headers: headers)
                statuses.append(reply.status)
            }
            #expect(statuses.filter { $0 == 401 }.count == 20 && statuses.last == 429)
            let other = [("X-Forwarded-For", "203.0.113.8:1")]
            let reply = try await server.send(.POST, "/auth/login", #"{"email":"x","password":"y"}"#, headers: other)
            #expect(reply.status == 401)
        }
    }

    private static func admin(on server: RunningServer) async throws -> String {
        let tokens = try await server.newAccount("admin@example.org")
        let settings = ServerSettings.data(in: server.directory)
        try await OpenedServer(settings: settings).setRole(.admin, of: "admin@example.org", vouches: true)
        return tokens.access_token
    }
}
