import Foundation
import NIOHTTP1
import ServerRequests
import Testing
import TourServer

/// The operator's page as a browser sees it: the port of its listener, and the two secrets of a session.
struct AdminPage: Sendable {
    let server: RunningServer
    let cookie: String
    let key: String

    /// Runs a server with the page.
    static func run(
        url: String? = nil, _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let place = ServerSettings.Listener(host: "127.0.0.1", port: 0)
        let page = try #require(ServerSettings.AdminPage(listener: place, url: url))
        try await RunningServer.run(
            change: { settings in
                settings.adminPage = page
                settings.operatorListener = place
            }, body)
    }

    struct Session: Decodable {
        var key: String?
        var `operator`: String
    }

    /// The token of a new link, as a command makes it.
    static func token(of server: RunningServer) async throws -> String {
        let url = try await server.asOperator { try await $0.pageLink(for: "dispatcher").url }
        return try #require(url.split(separator: "#").last.map { String($0) })
    }

    static func open(_ token: String, on server: RunningServer) async throws -> Reply {
        try await ask(server, .POST, "/session", #"{"token":"\#(token)"}"#)
    }

    /// Opens the page by a link of its own.
    init(_ server: RunningServer) async throws {
        let reply = try await Self.open(try await Self.token(of: server), on: server)
        #expect(reply.status == 201)
        let header = try #require(reply.headers.first(name: "Set-Cookie"))
        self.server = server
        cookie = String(header.prefix { $0 != ";" })
        key = try #require(try reply.decoded(Session.self).key)
    }

    /// A request as the page sends it.
    func ask(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> Reply {
        try await Self.ask(server, method, path, body, [("Cookie", cookie), ("X-Admin-Key", key)])
    }

    /// A request from the page's own site, without its secrets.
    static func ask(
        _ server: RunningServer, _ method: HTTPMethod, _ path: String, _ body: String? = nil,
        _ headers: [(String, String)] = []
    ) async throws -> Reply {
        let port = try #require(server.adminPort)
        let own = [("Origin", "http://127.0.0.1:\(port)"), ("Sec-Fetch-Site", "same-origin")]
        return try await server.send(method, "/admin/api" + path, body, headers: own + headers, port: port)
    }

    /// What the operator did, the newest first.
    func audit() async throws -> [String] {
        try await server.asOperator { try await $0.audit(limit: 50) }.rows.map { "\($0.actor) \($0.action)" }
    }
}
