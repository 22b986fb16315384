import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: a session lasts while it is used, ends when its owner says so, and ends when its token was stolen.
/// Method: a whole server over HTTP with a clock that the test sets.
struct SessionTests {
    private static func refresh(_ token: String, on server: RunningServer, key: String? = nil) async throws -> Reply {
        try await server.send(
            .POST, "/auth/refresh", #"{"refresh_token":"\#(token)"}"#,
            headers: key.map { [("Idempotency-Key", $0)] } ?? [])
    }

    /// A token is used, then this happens, then the token is used again.
    enum Between: CaseIterable, Sendable {
        /// Its answer arrived, and what it gave was used.
        case useOfTheNext
        case theGrace
        /// The second use is within the grace, and the third no more.
        case theGraceAfterAnotherRepeat
        /// The clock is set back by an hour, in which the token comes again, and runs on.
        case theGraceAfterTheClockWentBack
    }

    @Test(arguments: Between.allCases)
    func usedRefreshTokenEndsTheSession(between: Between) async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount("a@example.org")
            var last: Tokens = try await Self.refresh(first.refresh_token, on: server).decoded()
            #expect(last.refresh_token != first.refresh_token)
            #expect(try await server.send(.GET, "/auth/me", token: last.access_token).status == 200)
            switch between {
            case .useOfTheNext: last = try await Self.refresh(last.refresh_token, on: server).decoded()
            case .theGrace: break
            case .theGraceAfterAnotherRepeat:
                server.clock.advance(seconds: 40)
                #expect(try await Self.refresh(first.refresh_token, on: server).status == 200)
            case .theGraceAfterTheClockWentBack:
                server.clock.advance(seconds: -3_600)
                #expect(try await Self.refresh(first.refresh_token, on: server).status == 200)
            }
            if between != .useOfTheNext { server.clock.advance(seconds: ServerLimits.refreshGrace + 1) }
            let stolen = try await Self.refresh(first.refresh_token, on: server)
            #expect(stolen.status == 401 && stolen.code == "bad-refresh-token")
            #expect(try await Self.refresh(last.refresh_token, on: server).status == 401)
            #expect(try await server.send(.GET, "/auth/me", token: last.access_token).status == 401)
        }
    }

    /// The answer to a refresh is lost, and this happens before the client asks again.
    enum Loss: CaseIterable, Sendable { case atOnce, atTheEndOfTheGrace, clockGoesBack, clockGoesBackTwice }

    @Test(arguments: Loss.allCases)
    func aLostAnswerToARefreshIsGivenAgain(loss: Loss) async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount("a@example.org")
            let lost: Tokens = try await Self.refresh(first.refresh_token, on: server).decoded()
            switch loss {
            case .atOnce: break
            case .atTheEndOfTheGrace: server.clock.advance(seconds: ServerLimits.refreshGrace)
            case .clockGoesBack: server.clock.advance(seconds: -3_600)
            case .clockGoesBackTwice:
                server.clock.advance(seconds: -3_600)
                #expect(try await Self.refresh(first.refresh_token, on: server).status == 200)
                server.clock.advance(seconds: -1)
            }
            let told: Tokens = try await Self.refresh(first.refresh_token, on: server).decoded()
            #expect(told.refresh_token == lost.refresh_token)
            #expect(try await server.send(.GET, "/auth/me", token: told.access_token).status == 200)
            #expect(try await Self.refresh(told.refresh_token, on: server).status == 200)
            #expect(try await server.rowCounts(["sessions"]) == ["sessions": 1])
            #expect(try !server.databaseHolds(told.refresh_token.utf8))
        }
    }

    @Test func requestsThatRefreshAtOnceAllGoOn() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount("a@example.org")
            let replies = try await withThrowingTaskGroup(of: Reply.self) { tasks in
                for _ in 0..<8 { tasks.addTask { try await Self.refresh(tokens.refresh_token, on: server) } }
                return try await tasks.reduce(into: [Reply]()) { $0.append($1) }
            }
            #expect(replies.allSatisfy { $0.status == 200 })
            let next: [Tokens] = try replies.map { try $0.decoded() }
            #expect(Set(next.map(\.refresh_token)).count == 1)
            for tokens in next {
                #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 200)
            }
            #expect(try await server.rowCounts(["refresh_tokens"]) == ["refresh_tokens": 2])
        }
    }

    /// A thief with the old token gets within the grace what the owner got, in one session.
    @Test func aThiefInTheGraceIsFoundOutAtTheNextRefresh() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount("a@example.org")
            let owners: Tokens = try await Self.refresh(first.refresh_token, on: server).decoded()
            let thiefs: Tokens = try await Self.refresh(first.refresh_token, on: server).decoded()
            #expect(thiefs.refresh_token == owners.refresh_token)
            server.clock.advance(seconds: 900)
            #expect(try await Self.refresh(owners.refresh_token, on: server).status == 200)
            server.clock.advance(seconds: ServerLimits.refreshGrace + 1)
            #expect(try await Self.refresh(thiefs.refresh_token, on: server).status == 401)
            #expect(try await server.rowCounts(["sessions"]) == ["sessions": 0])
        }
    }

    /// A session of months leaves a month of tokens behind.
    @Test func usedTokensGo() async throws {
        try await RunningServer.run { server async throws in
            var tokens = try await server.newAccount("a@example.org")
            let first = tokens
            for _ in 0..<50 {
                server.clock.advance(seconds: 24 * 60 * 60)
                tokens = try await Self.refresh(tokens.refresh_token, on: server).decoded()
            }
            let left = try await server.rowCounts(["refresh_tokens", "sessions"])
            #expect(left == ["refresh_tokens": 32, "sessions": 1])
            // One of long ago is unknown, and ends nothing.
            #expect(try await Self.refresh(first.refresh_token, on: server).status == 401)
            #expect(try await Self.refresh(tokens.refresh_token, on: server).status == 200)
        }
    }

    @Test func lostAnswerToARefreshIsAskedForAgain() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount("a@example.org")
            let answer = try await Self.refresh(first.refresh_token, on: server, key: "r-1")
            let again = try await Self.refresh(first.refresh_token, on: server, key: "r-1")
            let told: Tokens = try again.decoded()
            #expect(again.status == 200)
            #expect(again.headers.first(name: "Idempotency-Replayed") == "true")
            #expect(answer.headers.first(name: "Idempotency-Replayed") == nil)
            let second: Tokens = try answer.decoded()
            #expect(told.refresh_token == second.refresh_token)
            #expect(try await Self.refresh(second.refresh_token, on: server).status == 200)
            // Neither token stands readable in the database.
            #expect(try server.databaseHolds("a@example.org".utf8))
            #expect(try !server.databaseHolds(second.refresh_token.utf8))
        }
    }

    @Test func accessTokenIsGoodForFifteenMinutes() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount("a@example.org")
            server.clock.advance(seconds: 899)
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 200)
            server.clock.advance(seconds: 1)
            let late = try await server.send(.GET, "/auth/me", token: tokens.access_token)
            #expect(late.status == 401 && late.headers.first(name: "WWW-Authenticate") == "Bearer")
            #expect(try await Self.refresh(tokens.refresh_token, on: server).status == 200)
        }
    }

    @Test func sessionEndsWithoutUseAndByLogout() async throws {
        try await RunningServer.run { server async throws in
            let idle = try await server.newAccount("a@example.org")
            server.clock.advance(seconds: 60 * 24 * 60 * 60 + 1)
            #expect(try await Self.refresh(idle.refresh_token, on: server).status == 401)
            let tokens = try await server.newAccount("b@example.org")
            #expect(try await server.send(.POST, "/auth/logout", token: tokens.access_token).status == 204)
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 401)
            #expect(try await Self.refresh(tokens.refresh_token, on: server).status == 401)
        }
    }

    @Test func tokensOfTheOldKeyStayGoodAfterARotation() async throws {
        try await RunningServer.run { server async throws in
            let old = try await server.newAccount("a@example.org")
            let settings = ServerSettings.data(in: server.directory)
            let door = try OpenedServer(settings: settings)
            let kid = try await door.rotateKeys(by: "dispatcher", now: server.clock.now + 1_000_000)
            try await door.storage.close()
            let entry = try await server.asOperator { try await $0.audit(limit: 1) }.rows.first
            #expect(entry?.action == "keys-rotated" && entry?.actor == "operator:dispatcher" && entry?.detail == kid)
            let new = try await server.newAccount("b@example.org")
            #expect(try await server.send(.GET, "/auth/me", token: old.access_token).status == 200)
            #expect(try await server.send(.GET, "/auth/me", token: new.access_token).status == 200)
            let header = try #require(new.access_token.split(separator: ".").first)
            let padded = header + String(repeating: "=", count: (4 - header.count % 4) % 4)
            let json = try #require(Data(base64Encoded: String(padded)))
            #expect(String(decoding: json, as: UTF8.self).contains(kid))
            let keys = try FileManager.default.contentsOfDirectory(atPath: server.directory + "/token-keys")
            #expect(keys.count == 2)
            for name in keys {
                let path = server.directory + "/token-keys/" + name
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
        }
    }

    @Test(arguments: ["", "x", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhY2NvdW50OjEifQ."])
    func forgedTokensAreNone(token: String) async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.newAccount("a@example.org")
            #expect(try await server.send(.GET, "/auth/me", token: token).status == 401)
        }
    }

    @Test func tokenWithOneByteChangedIsNone() async throws {
        try await RunningServer.run { server async throws in
            let good = try await server.newAccount("a@example.org").access_token
            let parts = good.split(separator: ".").map(String.init)
            for part in 0..<3 {
                var changed = parts
                var bytes = Array(changed[part].utf8)
                bytes[5] = bytes[5] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                changed[part] = String(decoding: bytes, as: UTF8.self)
                let reply = try await server.send(.GET, "/auth/me", token: changed.joined(separator: "."))
                #expect(reply.status == 401, "part \(part)")
            }
        }
    }

    @Test func oneAccountHasABoundedNumberOfSessions() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount("a@example.org")
            for _ in 0..<ServerLimits.sessionsPerAccountMax {
                server.clock.advance(seconds: 61)
                let reply = try await server.send(
                    .POST, "/auth/login", #"{"email":"a@example.org","password":"correct horse"}"#)
                #expect(reply.status == 200)
            }
            #expect(try await Self.refresh(first.refresh_token, on: server).status == 401)
        }
    }
}
