import NIOHTTP1
import NIOPosix
import Synchronization
import Testing
import TourCurl
import TourMailbox
import TourModel

/// Goal: the layer of the networking guide (one client, endpoints that say whether they want a token, one store of
/// tokens, errors with names) works against this server: a login's token opens the profile, an old one is renewed.
/// Method: the node's own client over HTTP, against a whole server whose clock the test sets.
struct NetworkLayerTests {
    private struct Profile: Decodable {
        var id: Int
        var email: String
    }

    /// What everybody may read: in the place of the guide's products.
    private struct Health: Decodable {
        var service: String
    }

    private static let profile = Endpoint(.GET, "/auth/me", access: .account)
    private static let health = Endpoint(.GET, "/healthz", access: .open)

    private final class KeptTokens: TokenStore {
        private let kept = Mutex<AccountTokens?>(nil)
        var now: AccountTokens? { kept.withLock { $0 } }
        func tokens() async -> AccountTokens? { now }
        func keep(_ tokens: AccountTokens?) async { kept.withLock { $0 = tokens } }
    }

    private static func withClient(
        _ body: @escaping @Sendable (APIClient, KeptTokens, RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run { server async throws in
            let tokens = KeptTokens()
            let client = APIClient(
                base: try MailboxBase("http://127.0.0.1:\(server.port)"),
                transport: try CurlTransport(), tokens: tokens,
                now: { Instant(microseconds: server.clock.now) },
                wallMilliseconds: { server.clock.now / 1_000 }, pause: { _ in })
            _ = try await server.newAccount("a@example.org")
            do {
                try await body(client, tokens, server)
            } catch {
                await client.close()
                throw error
            }
            await client.close()
        }
    }

    @Test func loginOpensTheProfileAndNothingElseDoes() async throws {
        try await Self.withClient { client, tokens, _ in
            #expect(try await client.request(Health.self, Self.health).service == "tour-chat")
            await #expect(throws: APIError.unauthenticated) { try await client.request(Profile.self, Self.profile) }
            try await client.logIn(email: "a@example.org", password: "correct horse")
            let profile = try await client.request(Profile.self, Self.profile)
            #expect(profile.id == 1 && profile.email == "a@example.org")
            #expect(tokens.now?.refresh != nil && tokens.now?.account == "a@example.org")
            try await client.logOut()
            #expect(tokens.now == nil)
            await #expect(throws: APIError.unauthenticated) { try await client.request(Profile.self, Self.profile) }
        }
    }

    @Test func expiredTokenIsRenewedOnceForAllThatWait() async throws {
        try await Self.withClient { client, tokens, server in
            try await client.logIn(email: "a@example.org", password: "correct horse")
            let before = tokens.now
            server.clock.advance(seconds: 900)
            try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<8 { tasks.addTask { try await client.request(Profile.self, Self.profile).id } }
                for try await id in tasks { #expect(id == 1) }
            }
            #expect(tokens.now?.access != before?.access && tokens.now?.refresh != before?.refresh)
            // A refreshing for each of them would be eight times the work.
            let lines = server.messages.all.filter { $0.contains("route=/auth/refresh") }
            #expect(lines.count == 1)
        }
    }

    @Test func sessionThatEndedElsewhereIsForgotten() async throws {
        try await Self.withClient { client, tokens, server in
            try await client.logIn(email: "a@example.org", password: "correct horse")
            let access = try #require(tokens.now?.access)
            #expect(try await server.send(.POST, "/auth/logout", token: access).status == 204)
            await #expect(throws: APIError.unauthenticated) { try await client.request(Profile.self, Self.profile) }
            #expect(tokens.now == nil)
        }
    }

    @Test func errorsHaveTheirNames() async throws {
        #expect(throws: APIError.invalidURL) { try MailboxBase("ftp://tours.example") }
        try await Self.withClient { client, _, server in
            await #expect(throws: APIError.http(status: 401, code: "bad-credentials")) {
                try await client.logIn(email: "a@example.org", password: "wrong horse")
            }
            try await client.logIn(email: "a@example.org", password: "correct horse")
            await #expect(throws: APIError.decoding) { try await client.request([Profile].self, Self.profile) }
            await #expect(throws: APIError.http(status: 404, code: "not-found")) {
                try await client.request(Profile.self, Endpoint(.GET, "/products", access: .open))
            }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.request(Profile.self, Self.profile)
            }
            await #expect(throws: APIError.network(.cancelled)) { try await task.value }
        }
    }
}
