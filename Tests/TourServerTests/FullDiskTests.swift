import Foundation
import Glibc
import NIOHTTP1
import Testing
import TourCurl

/// Goal: a server whose disk is full answers who only reads, says that it is not ready, and goes on once there is room.
/// Method: the built `tour-server` on a small disk of its own, in a namespace of its own, which is filled and emptied.
@Suite(
    .enabled(if: ServerProgram.isBuilt, "tour-server is not built"),
    .enabled(if: !TestDatabase.isPostgres, "the database is not on that disk"),
    .enabled("no namespaces") {
        try await ChildProcess("/usr/bin/unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).wait() == 0
    })
struct FullDiskTests {
    /// Fills the disk at SIGUSR1, empties it at SIGUSR2, and ends the server at SIGTERM.
    private static let script = """
        mount -t tmpfs -o size=48m tmpfs "$1" || exit 2
        trap 'head -c 64M /dev/zero > "$1/filling" 2>/dev/null; echo filled' USR1
        trap 'rm "$1/filling"; echo emptied' USR2
        trap 'kill "$server"' TERM
        "$2" serve --listen 127.0.0.1:0 --data-dir "$1/data" &
        server=$!
        while kill -0 "$server" 2>/dev/null; do wait "$server"; done
        """

    @Test func aFullDiskAnswersWhoReads() async throws {
        let directory = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let client = try RunningServer.makeClient()
        do {
            try await Self.fill(directory, client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private static func fill(_ directory: String, _ client: CurlTransport) async throws {
        let shell = try ChildProcess(
            "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script, "sh", directory, ServerProgram.path])
        let ready = try await shell.line { $0.hasPrefix("{") }
        let port = try #require(ready.firstMatch(of: /"port":(\d+)/).flatMap { Int($0.1) })
        let server = RunningServer(port: port, directory: directory, client: client)
        let token = try await server.newAccount("a@example.org").access_token
        let note = #"{"title":"Ürgüp","content":""}"#
        #expect(try await server.send(.POST, "/notes", token: token, note).status == 201)
        #expect(try await server.send(.GET, "/api/v1/profile", token: token).status == 200)
        let newcomer = try await server.newAccount("b@example.org").access_token
        #expect(try await server.send(.GET, "/readyz").status == 200)
        shell.signal(SIGUSR1)
        _ = try await shell.line { $0 == "filled" }
        // What was asked within the second before is answered as it was then.
        #expect(try await server.repeats { try await server.send(.GET, "/readyz").status == 503 })
        for path in ["/auth/me", "/notes", "/collections", "/groups", "/api/v1/profile", "/healthz"] {
            let reply = try await server.send(.GET, path, token: token)
            #expect(reply.status == 200, "\(path)")
        }
        // A phone asks what is new, also where its notebook has not begun.
        for (token, count) in [(token, 1), (newcomer, 0)] {
            var phone = DeltaDevice(server: server, token: token, name: "one")
            #expect(try await phone.sync().updated_notes?.count == count)
        }
        let long = #"{"title":"1","content":"\#(String(repeating: "a", count: 200_000))"}"#
        let refused = try await server.send(.POST, "/notes", token: token, long)
        #expect(refused.status == 503 && refused.code == "unavailable")
        shell.signal(SIGUSR2)
        _ = try await shell.line { $0 == "emptied" }
        #expect(try await server.repeats { try await server.send(.GET, "/readyz").status == 200 })
        #expect(try await server.send(.POST, "/notes", token: token, long).status == 201)
        _ = try await shell.end(SIGTERM)
    }
}

/// Goal: what was counted survives a restart. Method: the built `tour-server`, ended and started again.
@Suite(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
struct RateRestartTests {
    @Test func aRestartForgivesNothing() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let client = try RunningServer.makeClient()
        do {
            for round in 0..<2 {
                let (process, port) = try await ProcessTests.start(directory)
                let server = RunningServer(port: port, directory: directory, client: client)
                // More than go at once; what becomes free meanwhile is little.
                var refused = 0
                for _ in 0..<(round == 0 ? 40 : 10) {
                    let reply = try await server.send(.POST, "/auth/login", #"{"email":"x","password":"y"}"#)
                    refused += reply.status == 429 ? 1 : 0
                }
                #expect(refused >= (round == 0 ? 10 : 5), "round \(round)")
                #expect(try await process.end(SIGTERM) == 0)
            }
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }
}
