import Foundation
import NIOHTTP1
import Testing
import TourCurl

/// Where the build puts the program; the environment's `TOUR_SERVER` overrules it.
enum ServerProgram {
    static let path: String = {
        if let path = ProcessInfo.processInfo.environment["TOUR_SERVER"] { return path }
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.appendingPathComponent(".build/release/tour-server").path
    }()
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)
}

/// Goal: the program itself starts, is killed at any moment, starts again, and has lost nothing that it answered.
/// Method: the built `tour-server`, as an operator runs it.
@Suite(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
struct ProcessTests {
    private struct Ready: Decodable {
        var event: String
        var port: Int
    }

    static func start(_ directory: String, _ more: [String] = []) async throws -> (ChildProcess, Int) {
        let process = try ChildProcess(
            ServerProgram.path, ["serve", "--listen", "127.0.0.1:0", "--data-dir", directory] + more)
        let line = try await process.line { $0.hasPrefix("{") }
        let ready = try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
        #expect(ready.event == "ready")
        return (process, ready.port)
    }

    private static func post(
        _ path: String, _ body: String, at origin: String, client: CurlTransport
    ) async throws -> (Int, [UInt8]) {
        var request = RunningServer.request(.POST, origin + path)
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = Array(body.utf8)
        let reply = try await client.send(request)
        return (reply.status, reply.body)
    }

    private static func post(
        _ path: String, _ body: String, port: Int, client: CurlTransport
    ) async throws -> (Int, [UInt8]) {
        try await post(path, body, at: "http://127.0.0.1:\(port)", client: client)
    }

    private static func withClient(
        authority: String? = nil, _ body: (CurlTransport) async throws -> Void
    ) async throws {
        let client = try RunningServer.makeClient(authority: authority)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    @Test func killedServerHasLostNothing() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await Self.withClient { client async throws in
            let account = #"{"email":"a@example.org","password":"correct horse"}"#
            let (first, port) = try await Self.start(directory)
            #expect(try await Self.post("/auth/signup", account, port: port, client: client).0 == 201)
            let (status, body) = try await Self.post("/auth/login", account, port: port, client: client)
            #expect(status == 200)
            let tokens = try JSONDecoder().decode(Tokens.self, from: Data(body))
            #expect(try await first.end(SIGKILL) == SIGKILL)
            let (second, newPort) = try await Self.start(directory)
            let request = RunningServer.request(
                .GET, "http://127.0.0.1:\(newPort)/auth/me", token: tokens.access_token)
            #expect(try await client.send(request).status == 200)
            let refresh = #"{"refresh_token":"\#(tokens.refresh_token)"}"#
            #expect(try await Self.post("/auth/refresh", refresh, port: newPort, client: client).0 == 200)
            #expect(try await second.end(SIGTERM) == 0, "SIGTERM ends it in good order")
        }
    }

    @Test func operatorMakesTheFirstGuide() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let migration = try ChildProcess(ServerProgram.path, ["migrate", "--data-dir", directory])
        #expect(try await migration.line { $0.hasPrefix("Done: ") }.contains("accounts-1"))
        #expect(try await migration.wait() == 0)
        let (server, port) = try await Self.start(directory)
        try await Self.withClient { client async throws in
            let account = #"{"email":"a@example.org","password":"correct horse"}"#
            let signed = try await Self.post("/auth/signup", account, port: port, client: client)
            #expect(signed.0 == 201)
            let unproven = ["user", "role", "a@example.org", "guide", "--data-dir", directory]
            #expect(try await ChildProcess(ServerProgram.path, unproven).wait() == 1, "anybody may have typed it")
            let role = unproven + ["--vouch"]
            #expect(try await ChildProcess(ServerProgram.path, role).wait() == 0)
            let nobody = ["user", "role", "b@example.org", "guide", "--data-dir", directory]
            #expect(try await ChildProcess(ServerProgram.path, nobody).wait() == 1)
            let bad = ["user", "role", "a@example.org", "king", "--data-dir", directory]
            #expect(try await ChildProcess(ServerProgram.path, bad).wait() == 64)
            #expect(
                try await ChildProcess(ServerProgram.path, ["keys", "rotate", "--data-dir", directory]).wait() == 0)
            #expect(try await Self.post("/auth/login", account, port: port, client: client).0 == 200)
        }
        #expect(try await server.end(SIGINT) == 0)
    }

    @Test func certificateMakesItHTTPS() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let files = try await TestCertificate(directory, named: "localhost")
        let (server, port) = try await Self.start(
            directory + "/data", ["--tls-certificate", files.certificate, "--tls-key", files.key])
        try await Self.withClient(authority: files.certificate) { client async throws in
            let body = #"{"email":"a@example.org","password":"correct horse"}"#
            let signed = try await Self.post("/auth/signup", body, at: "https://localhost:\(port)", client: client)
            #expect(signed.0 == 201)
            await #expect(throws: (any Error).self) {
                try await Self.post("/auth/signup", body, port: port, client: client)
            }
        }
        #expect(try await server.end(SIGTERM) == 0)
    }
}
