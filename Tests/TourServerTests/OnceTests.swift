import Foundation
import Glibc
import NIOHTTP1
import ServerBase
import ServerStorage
import Testing
import TourCurl

/// Goal: a write with an Idempotency-Key is done once, also where the process or the disk fails between the write and
/// its answer. Method: a database that refuses to keep answers; the built `tour-server`, killed again and again.
struct OnceTests {
    private struct Note: Decodable {
        var id: Int
        var title: String
    }

    private static func note(_ number: Int) -> String { #"{"title":"\#(number)","content":"Ürgüp"}"# }

    /// What a kill between the two does: the write is there, and its answer is not.
    private static func refuseAnswers(_ directory: String, _ refuse: Bool) async throws {
        let storage = try TestDatabase.storage(of: directory)
        let trigger = "CREATE TRIGGER refusal BEFORE UPDATE ON answers "
        let function = """
            CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS
            $$ BEGIN RAISE EXCEPTION 'refused'; END $$ LANGUAGE plpgsql
            """
        let statements =
            switch (refuse, TestDatabase.isPostgres) {
            case (true, true): [function, trigger + "FOR EACH ROW EXECUTE FUNCTION refuse()"]
            case (true, false): [trigger + "BEGIN SELECT RAISE(ABORT, 'refused'); END"]
            case (false, true): ["DROP TRIGGER refusal ON answers"]
            case (false, false): ["DROP TRIGGER refusal"]
            }
        try await storage.write { sql throws(Failure) in
            for statement in statements { try sql.run(statement, []) }
        }
        try await storage.close()
    }

    @Test func aWriteWhoseAnswerIsNotKeptIsNotDone() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let requests: [(HTTPMethod, String, String)] = [
                (.POST, "/notes", Self.note(1)), (.POST, "/samples", #"{"title":"Göreme"}"#),
                (.POST, "/collections", #"{"title":"Kapadokya"}"#),
            ]
            try await Self.refuseAnswers(server.directory, true)
            for (method, path, body) in requests {
                let failed = try await server.send(
                    method, path, token: token, body, headers: [("Idempotency-Key", path)])
                #expect(failed.status >= 500)
            }
            try await Self.refuseAnswers(server.directory, false)
            // As long as the contract says that a request which never ended is waited for.
            server.clock.advance(seconds: 60)
            for (method, path, body) in requests {
                let key = [("Idempotency-Key", path)]
                let done = try await server.send(method, path, token: token, body, headers: key)
                let again = try await server.send(method, path, token: token, body, headers: key)
                #expect(done.status == 201 && again.status == 201 && again.body == done.body, "\(path)")
                let list = try await server.send(.GET, path, token: token)
                let rows = try JSONSerialization.jsonObject(with: list.body)
                let made = (rows as? [Any])?.count ?? ((rows as? [String: Any])?["data"] as? [Any])?.count
                #expect(made == 1, "\(path): \(list.text)")
            }
        }
    }

    /// A login that is told twice is one session, with an access token made anew.
    @Test func aLoginThatIsAskedForAgainIsOneSession() async throws {
        try await RunningServer.run { server async throws in
            let body = #"{"email":"a@example.org","password":"correct horse"}"#
            #expect(try await server.send(.POST, "/auth/signup", body).status == 201)
            let key = [("Idempotency-Key", "k")]
            let first: Tokens = try await server.send(.POST, "/auth/login", body, headers: key).decoded()
            server.clock.advance(seconds: 3_600)
            let again = try await server.send(.POST, "/auth/login", body, headers: key)
            #expect(again.headers.first(name: "Idempotency-Replayed") == "true")
            let second: Tokens = try again.decoded()
            #expect(second.refresh_token == first.refresh_token && second.access_token != first.access_token)
            #expect(try await server.send(.GET, "/auth/me", token: second.access_token).status == 200)
        }
    }

    /// Its answer holds all of it, and is more than is kept.
    @Test func aLongNoteIsMadeOnce() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let text = String(repeating: "a", count: ServerLimits.idempotentAnswerBytesMax)
            let key = [("Idempotency-Key", "k")]
            let body = #"{"title":"1","content":"\#(text)"}"#
            #expect(try await server.send(.POST, "/notes", token: token, body, headers: key).status == 201)
            let again = try await server.send(.POST, "/notes", token: token, body, headers: key)
            #expect(again.status == 409 && again.code == "already-done")
            let notes: [Note] = try await server.send(.GET, "/notes", token: token).decoded()
            #expect(notes.count == 1)
            let path = "/notes/\(notes[0].id)"
            for _ in 0..<2 {
                // To change it again changes nothing more.
                let changed = try await server.send(
                    .PUT, path, token: token, body, headers: [("Idempotency-Key", "l")])
                #expect(changed.status == 200)
            }
        }
    }
}

/// The same with kills.
@Suite(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
struct OnceProcessTests {
    @Test func killedServerHasDoneEveryWriteOnce() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let client = try RunningServer.makeClient()
        do {
            try await Self.killAgainAndAgain(directory, client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private static let rounds = 6
    private static let together = 8

    private static func killAgainAndAgain(_ directory: String, _ client: CurlTransport) async throws {
        var (process, port) = try await ProcessTests.start(directory)
        var server = RunningServer(port: port, directory: directory, client: client)
        let token = try await server.newAccount("a@example.org").access_token
        for round in 0..<rounds {
            let running = server
            let under = Task {
                await withTaskGroup(of: Void.self) { tasks in
                    for number in 0..<together {
                        tasks.addTask { _ = try? await post(round * together + number, running, token) }
                    }
                }
            }
            // Somewhere among them: as soon as one note more is there.
            _ = try? await post(-1 - round, running, token)
            _ = try await process.end(SIGKILL)
            await under.value
            (process, port) = try await ProcessTests.start(directory)
            server = RunningServer(port: port, directory: directory, client: client)
            for number in 0..<together {
                #expect(try await post(round * together + number, server, token) == 201, "nobody waits for the dead")
            }
            #expect(try await post(-1 - round, server, token) == 201)
        }
        struct Note: Decodable { var title: String }
        let notes: [Note] = try await server.send(.GET, "/notes", token: token).decoded()
        #expect(notes.count == rounds * (together + 1))
        #expect(Set(notes.map(\.title)).count == notes.count)
        #expect(try await process.end(SIGTERM) == 0)
    }

    private static func post(_ number: Int, _ server: RunningServer, _ token: String) async throws -> Int {
        try await server.send(
            .POST, "/notes", token: token, #"{"title":"\#(number)","content":""}"#,
            headers: [("Idempotency-Key", "note \(number)")]
        ).status
    }
}
