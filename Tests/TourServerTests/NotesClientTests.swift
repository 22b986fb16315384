import Foundation
import FoundationNetworking
import Synchronization
import Testing
import TourServer

/// Goal: the client of the notes guide makes an account, logs in and is known, by changing its base address alone.
/// Method: its models, its `APIClient` and its services, as the guide has them, against a whole server.
struct NotesClientTests {
    private struct AuthResponse: Decodable {
        let accessToken: String
        let tokenType: String

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case tokenType = "token_type"
        }
    }

    private struct UserDTO: Decodable {
        let id: Int
        let email: String
        let createdAt: Date

        private enum CodingKeys: String, CodingKey {
            case id, email
            case createdAt = "created_at"
        }
    }

    private struct LoginRequest: Encodable {
        let email: String
        let password: String
    }

    private struct SignupRequest: Encodable {
        let email: String
        let password: String
    }

    private struct EmptyRequest: Encodable {}

    private struct APIClient: Sendable {
        let baseURL: URL
        let session = URLSession.shared
        let tokenProvider: @Sendable () -> String?

        func perform<Request: Encodable, Response: Decodable>(
            path: String, method: String = "GET", body: Request? = nil
        ) async throws -> Response {
            var request = URLRequest(url: baseURL.appendingPathComponent(path))
            request.httpMethod = method
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            if let token = tokenProvider() {
                request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            }
            if let body {
                request.httpBody = try JSONEncoder().encode(body)
            }
            let (data, response) = try await session.data(for: request)
            guard let answer = response as? HTTPURLResponse, (200..<300).contains(answer.statusCode) else {
                throw URLError(.badServerResponse)
            }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(Response.self, from: data)
        }
    }

    private struct AuthService: Sendable {
        let client: APIClient

        func signup(email: String, password: String) async throws -> UserDTO {
            try await client.perform(
                path: "auth/signup", method: "POST", body: SignupRequest(email: email, password: password))
        }

        func login(email: String, password: String) async throws -> AuthResponse {
            try await client.perform(
                path: "auth/login", method: "POST", body: LoginRequest(email: email, password: password))
        }

        func me() async throws -> UserDTO {
            try await client.perform(path: "auth/me", body: EmptyRequest?.none)
        }
    }

    /// In the keychain's place.
    private final class Keychain: Sendable {
        private let kept = Mutex<String?>(nil)
        var token: String? {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }

    private static func service(_ server: RunningServer, _ keychain: Keychain) throws -> AuthService {
        let base = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        return AuthService(client: APIClient(baseURL: base, tokenProvider: { keychain.token }))
    }

    @Test func accountIsMadeKnownAndForgotten() async throws {
        try await RunningServer.run { server async throws in
            let keychain = Keychain()
            let service = try Self.service(server, keychain)
            let user = try await service.signup(email: "ayse@example.org", password: "gizli-parola")
            #expect(user.id == 1 && user.email == "ayse@example.org")
            #expect(user.createdAt == Date(timeIntervalSince1970: 1_780_272_000))
            let answer = try await service.login(email: "ayse@example.org", password: "gizli-parola")
            #expect(answer.tokenType == "bearer")
            keychain.token = answer.accessToken
            let me = try await service.me()
            #expect(me.id == user.id && me.email == user.email && me.createdAt == user.createdAt)
            keychain.token = nil
            await #expect(throws: URLError.self) { try await service.me() }
        }
    }

    @Test func refusalsAreBadResponses() async throws {
        try await RunningServer.run { server async throws in
            let keychain = Keychain()
            let service = try Self.service(server, keychain)
            _ = try await service.signup(email: "a@example.org", password: "gizli-parola")
            let taken = await #expect(throws: URLError.self) {
                try await service.signup(email: "a@example.org", password: "gizli-parola")
            }
            let wrong = await #expect(throws: URLError.self) {
                try await service.login(email: "a@example.org", password: "yanlis-parola")
            }
            #expect(taken?.code == .badServerResponse && wrong?.code == .badServerResponse)
            keychain.token = try await service.login(email: "a@example.org", password: "gizli-parola").accessToken
            // The guide's client knows no refreshing: it logs in again.
            server.clock.advance(seconds: 900)
            await #expect(throws: URLError.self) { try await service.me() }
            keychain.token = try await service.login(email: "a@example.org", password: "gizli-parola").accessToken
            #expect(try await service.me().email == "a@example.org")
        }
    }
}
