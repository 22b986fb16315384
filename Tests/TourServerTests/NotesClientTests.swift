import Foundation
import FoundationNetworking
import NIOHTTP1
import Synchronization
import Testing
import TourModel

/// Goal: the client of the notes guide makes an account, logs in and is known, and keeps notes, by changing its base
/// address alone.
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

    private struct NoteDTO: Identifiable, Decodable {
        let id: Int
        let title: String
        let content: String
        let createdAt: Date
        let updatedAt: Date

        private enum CodingKeys: String, CodingKey {
            case id, title, content
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }

    private struct CreateNoteRequest: Encodable {
        let title: String
        let content: String
    }

    private struct UpdateNoteRequest: Encodable {
        let title: String?
        let content: String?
    }

    private struct EmptyRequest: Encodable {}

    private struct APIClient: Sendable {
        let baseURL: URL
        let session = URLSession.patient
        let tokenProvider: @Sendable () -> String?

        func perform<Request: Encodable, Response: Decodable>(
            path: String, method: String = "GET", body: Request? = nil
        ) async throws -> Response {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(Response.self, from: try await data(path: path, method: method, body: body))
        }

        /// The guide's own word for an answer without a body: an overload that decodes nothing.
        func perform(path: String, method: String) async throws {
            let data = try await data(path: path, method: method, body: EmptyRequest?.none)
            #expect(data.isEmpty)
        }

        private func data<Request: Encodable>(path: String, method: String, body: Request?) async throws -> Data {
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
            return data
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

    private struct NotesService: Sendable {
        let client: APIClient

        func list() async throws -> [NoteDTO] {
            try await client.perform(path: "notes/", body: EmptyRequest?.none)
        }

        func create(note: CreateNoteRequest) async throws -> NoteDTO {
            try await client.perform(path: "notes/", method: "POST", body: note)
        }

        func update(id: Int, note: UpdateNoteRequest) async throws -> NoteDTO {
            try await client.perform(path: "notes/\(id)", method: "PUT", body: note)
        }

        func delete(id: Int) async throws {
            try await client.perform(path: "notes/\(id)", method: "DELETE")
        }

        func downloadPDF(noteID: Int, token: String) async throws -> Data {
            var request = URLRequest(url: client.baseURL.appendingPathComponent("notes/\(noteID)/pdf"))
            request.httpMethod = "GET"
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            let (data, response) = try await URLSession.patient.data(for: request)
            guard let answer = response as? HTTPURLResponse, answer.statusCode == 200 else {
                throw URLError(.badServerResponse)
            }
            return data
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

    /// Somebody who is logged in.
    private static func notes(
        of email: String, on server: RunningServer
    ) async throws -> (service: NotesService, token: String) {
        let keychain = Keychain()
        let token = try await server.newAccount(email).access_token
        keychain.token = token
        return (NotesService(client: try service(server, keychain).client), token)
    }

    @Test func notesAreMadeChangedAndDeleted() async throws {
        try await RunningServer.run { server async throws in
            let notes = try await Self.notes(of: "ayse@example.org", on: server).service
            #expect(try await notes.list().isEmpty)
            let first = try await notes.create(note: CreateNoteRequest(title: "Göreme", content: "Şapka ve su"))
            #expect(first.title == "Göreme" && first.content == "Şapka ve su")
            #expect(first.createdAt == Date(timeIntervalSince1970: 1_780_272_000))
            #expect(first.updatedAt == first.createdAt)
            server.clock.advance(seconds: 5)
            let second = try await notes.create(note: CreateNoteRequest(title: "京都", content: ""))
            #expect(second.id != first.id)
            let changed = try await notes.update(id: first.id, note: UpdateNoteRequest(title: nil, content: "Su"))
            #expect(changed.id == first.id && changed.title == "Göreme" && changed.content == "Su")
            #expect(changed.createdAt == first.createdAt)
            #expect(changed.updatedAt == first.createdAt.addingTimeInterval(5))
            #expect(try await notes.list().map(\.title) == ["Göreme", "京都"])
            try await notes.delete(id: first.id)
            #expect(try await notes.list().map(\.id) == [second.id])
            await #expect(throws: URLError.self) { try await notes.delete(id: first.id) }
            await #expect(throws: URLError.self) {
                try await notes.update(id: first.id, note: UpdateNoteRequest(title: "x", content: nil))
            }
        }
    }

    @Test func noteIsDownloadedAsPDF() async throws {
        try await RunningServer.run { server async throws in
            let (notes, token) = try await Self.notes(of: "ayse@example.org", on: server)
            let content = "Güneş doğarken <b>buluşalım</b>: https://example.org/balon\nمرحبا\n京都"
            let note = try await notes.create(note: CreateNoteRequest(title: "İlk gün", content: content))
            let data = try await notes.downloadPDF(noteID: note.id, token: token)
            #expect(data.starts(with: Data("%PDF-".utf8)))
            let lines = try await PDFReader.lines(of: data)
            #expect(lines.first == "İlk gün" && lines.contains { $0.hasPrefix("Written: 2026-06-01 00:00 UTC") })
            #expect(lines.contains("Güneş doğarken <b>buluşalım</b>: https://example.org/balon"))
            // Which spaces a reader sees in Arabic depends on the font.
            #expect(lines.contains { $0.filter { !$0.isWhitespace } == "مرحبا" } && lines.contains("京都"), "\(lines)")
            let reply = try await server.send(
                .GET, "/notes/\(note.id)/pdf", token: token, headers: [("Accept-Language", "tr")])
            #expect(reply.headers.first(name: "Content-Type") == "application/pdf")
            #expect(try await PDFReader.lines(of: reply.body).contains { $0.hasPrefix("Yazıldı: 2026-06-01") })
            await #expect(throws: URLError.self) { try await notes.downloadPDF(noteID: note.id, token: "x") }
            await #expect(throws: URLError.self) { try await notes.downloadPDF(noteID: note.id + 1, token: token) }
        }
    }

    /// A note has one address; others are none.
    @Test func aNumberHasOneForm() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("ada@example.org").access_token
            let made = try await server.send(.POST, "/notes", token: token, #"{"title":"A","content":"b"}"#)
            let number = try #require(made.text.firstMatch(of: /"id":(\d+)/)?.1)
            #expect(try await server.send(.GET, "/notes/\(number)", token: token).status == 200)
            let others = ["+\(number)", "%2B\(number)", "0\(number)", "\(number).0", "\(number)e0", "-\(number)"]
            for other in others + ["0", "%20\(number)", "\(number)%20", "one", "9223372036854775808"] {
                #expect(try await server.send(.GET, "/notes/\(other)", token: token).status == 404, "\(other)")
            }
        }
    }

    @Test func othersNotesAreTheirs() async throws {
        try await RunningServer.run { server async throws in
            let (notes, _) = try await Self.notes(of: "ayse@example.org", on: server)
            let note = try await notes.create(note: CreateNoteRequest(title: "Özel", content: "gizli"))
            let (others, token) = try await Self.notes(of: "ben@example.org", on: server)
            #expect(try await others.list().isEmpty)
            for (method, path) in [("GET", ""), ("PUT", ""), ("DELETE", ""), ("GET", "/pdf")] {
                let reply = try await server.send(
                    HTTPMethod(rawValue: method), "/notes/\(note.id)\(path)", token: token,
                    method == "PUT" ? "{}" : nil)
                #expect(reply.status == 403 && reply.code == "forbidden" && !reply.text.contains("gizli"))
            }
            for name in ["0", "-1", "99", "x", "1.0", "99999999999999999999"] {
                #expect(try await server.send(.GET, "/notes/\(name)", token: token).status == 404, "\(name)")
            }
            #expect(try await notes.list().map(\.content) == ["gizli"])
        }
    }

    /// 256 KiB of characters that JSON writes as six bytes each; one byte more is too long.
    @Test func longestNoteIsTaken() async throws {
        try await RunningServer.run { server async throws in
            let (notes, token) = try await Self.notes(of: "ayse@example.org", on: server)
            let bytes = Limits.notebookTextBytesMax
            let body = #"{"title":"x","content":"\#(String(repeating: "\\u0001", count: bytes))"}"#
            let reply = try await server.send(.POST, "/notes", token: token, body)
            #expect(reply.status == 201)
            let over = #"{"title":"x","content":"\#(String(repeating: "a", count: bytes + 1))"}"#
            let refused = try await server.send(.POST, "/notes", token: token, over)
            #expect(refused.status == 422 && refused.field == "content")
            #expect(try await notes.list().map(\.content.utf8.count) == [bytes])
            let lines = #"{"title":"x","content":"\#(String(repeating: "\\n", count: bytes))"}"#
            let made: NoteDTO = try await server.send(.POST, "/notes", token: token, lines).decoded()
            let tall = try await server.send(.GET, "/notes/\(made.id)/pdf", token: token)
            #expect(tall.status == 413 && tall.code == "too-large", "thousands of empty pages")
        }
    }
}
