import NIOHTTP1
import ServerRequests
import Testing
import TourServer

/// Goal: pages of the origins that the operator names may call the server, and no others.
/// Method: a whole server, asked as browsers ask.
@Suite struct AllowedOriginTests {
    private static let page = "https://app.example.org"
    private static let question = [("Access-Control-Request-Method", "PUT")]

    @Test(
        arguments: [
            ([page], page, page), ([page, "https://two.example:8443"], page, page), (["*"], page, "*"),
            (["http://localhost:5173"], "http://localhost:5173", "http://localhost:5173"),
            ([page], "https://app.example.org.evil.example", nil), ([page], "http://app.example.org", nil),
            ([page], "null", nil), ([], page, nil),
        ] as [([String], String, String?)])
    func anOriginIsAllowedOrNot(named: [String], origin: String, allowed: String?) async throws {
        let origins = try #require(AllowedOrigins(named))
        try await RunningServer.run {
            $0.origins = origins
        } _: { server async throws in
            let asked = try await server.send(.OPTIONS, "/notes", headers: [("Origin", origin)] + Self.question)
            #expect(asked.status == (allowed == nil ? 405 : 204))
            #expect(asked.headers.first(name: "Access-Control-Allow-Origin") == allowed)
            #expect((asked.headers.first(name: "Access-Control-Allow-Headers") == nil) == (allowed == nil))
            // Errors too are read by the page, and no answer goes from a cache to another one's.
            for path in ["/healthz", "/notes", "/nowhere"] {
                let answer = try await server.send(.GET, path, headers: [("Origin", origin)])
                #expect(answer.headers.first(name: "Access-Control-Allow-Origin") == allowed, "\(path)")
                #expect(answer.headers["Vary"].joined().contains("Origin") == !named.isEmpty, "\(path)")
            }
        }
    }

    @Test func aQuestionThatIsNoBrowsersIsAnsweredAsBefore() async throws {
        let origins = try #require(AllowedOrigins(["*"]))
        try await RunningServer.run {
            $0.origins = origins
        } _: { server async throws in
            #expect(try await server.send(.OPTIONS, "/notes").status == 405)
            #expect(try await server.send(.OPTIONS, "/notes", headers: [("Origin", Self.page)]).status == 405)
        }
    }

    /// A browser sends a page's body of no type, or of a form's, without a question.
    @Test func onlyAnAllowedPagesBodyNeedsNoType() async throws {
        let origins = try #require(AllowedOrigins([Self.page]))
        try await RunningServer.run {
            $0.origins = origins
        } _: { server async throws in
            let cases: [(origin: String?, taken: Bool)] = [
                (nil, true), (Self.page, true), ("http://127.0.0.1:\(server.port)", true), ("null", false),
                ("https://evil.example", false), ("http://127.0.0.1", false),
                ("http://127.0.0.1:\(server.port).evil.example", false),
            ]
            for (origin, taken) in cases {
                for type in ["", "application/x-www-form-urlencoded", "application/json"] {
                    let headers = [("Content-Type", type)] + (origin.map { [("Origin", $0)] } ?? [])
                    let reply = try await server.send(.POST, "/auth/signup", "{}", headers: headers)
                    let status = taken || type == "application/json" ? 422 : 415
                    #expect(reply.status == status, "\(origin ?? "none") \(type)")
                }
            }
        }
    }

    @Test(arguments: [
        "https://app.example.org/", "https://app.example.org:443", "HTTPS://app.example.org", "app.example.org",
        "http://app.example.org", "https://", "https://a b", "https://app.example.org/path", "null", "", "https://a:",
        "https://ada@app.example.org", "https://app.example.org?x", "https://App.example.org",
    ])
    func whatNoBrowserWritesIsRefused(origin: String) { #expect(AllowedOrigins([origin]) == nil) }

    @Test func thereAreSomeAtMost() {
        let many = (0...AllowedOrigins.countMax).map { "https://a\($0).example" }
        #expect(AllowedOrigins(many) == nil && AllowedOrigins(Array(many.dropLast())) != nil)
    }
}
