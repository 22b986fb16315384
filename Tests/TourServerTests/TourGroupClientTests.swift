import Foundation
import FoundationNetworking
import ServerRequests
import ServerStorage
import Synchronization
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: the client of the tour groups guide makes a group, syncs messages and marks them as sent, and logs in again
/// when its session is over. Method: its models and its sync, as the guide has them, against a whole server; what it
/// sends of a message is the sealed event, which is all that a blind mailbox takes.
struct TourGroupClientTests {
    private struct TourGroup: Decodable {
        struct Member: Decodable, Hashable {
            var id: String
            var role: String
        }
        var id: String
        var name: String
        var guideId: String
        var members: Set<Member>
        var isActive: Bool
        var startDate: Date?
        var endDate: Date?
        var lastSyncTime: Date?
    }

    /// As it lies on the phone.
    private struct Message {
        var localId: String
        var content: String
        var type = "text"
        var senderId: String
        var groupId: String
        var sentAt: Date
        var status = "pending"
        var syncedAt: Date?
        var sealed: Data
    }

    /// As it goes to the server.
    private struct SealedMessage: Encodable {
        var localId: String
        var type: String
        var senderId: String
        var groupId: String
        var sentAt: Date
        var sealed: Data
    }

    private struct SyncRequest: Encodable {
        var messages: [SealedMessage]
    }

    private struct SyncResponse: Decodable {
        struct Entry: Decodable {
            var localMessageId: String
        }
        var syncedMessages: [Entry]
        var syncTime: Date
    }

    private enum NetworkError: Error, Equatable {
        case noInternet
        case serverError(String)
        case authenticationError
    }

    private struct APIClient {
        let baseURL: URL
        var token: String?

        func send<Response: Decodable>(
            _ path: String, method: String = "GET", body: Data? = nil
        ) async throws(NetworkError) -> Response {
            var request = URLRequest(url: baseURL.appendingPathComponent(path))
            request.httpMethod = method
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            request.httpBody = body
            guard let (data, response) = try? await URLSession.patient.data(for: request),
                let status = (response as? HTTPURLResponse)?.statusCode
            else { throw .noInternet }
            guard status != 401 else { throw .authenticationError }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            guard (200..<300).contains(status), let answer = try? decoder.decode(Response.self, from: data) else {
                throw .serverError(String(decoding: data, as: UTF8.self))
            }
            return answer
        }

        func syncMessages(_ messages: [Message]) async throws(NetworkError) -> SyncResponse {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            let sealed = messages.map {
                SealedMessage(
                    localId: $0.localId, type: $0.type, senderId: $0.senderId, groupId: $0.groupId, sentAt: $0.sentAt,
                    sealed: $0.sealed)
            }
            guard let body = try? encoder.encode(SyncRequest(messages: sealed)) else { throw .noInternet }
            return try await send("messages/sync", method: "POST", body: body)
        }
    }

    /// In the place of Core Data.
    private struct Messages {
        var all: [Message] = []

        func fetchUnsyncedMessages() -> [Message] { all.filter { $0.syncedAt == nil } }

        mutating func handleSyncSuccess(_ response: SyncResponse) {
            for result in response.syncedMessages {
                guard let index = all.firstIndex(where: { $0.localId == result.localMessageId }) else { continue }
                all[index].syncedAt = response.syncTime
                all[index].status = "sent"
            }
        }
    }

    private static func message(_ event: Event, _ content: String, in tour: SampleTour) -> Message {
        Message(
            localId: event.id.hex, content: content, senderId: event.header.author.hex, groupId: tour.id.hex,
            sentAt: Date(timeIntervalSince1970: Double(event.header.clock.milliseconds) / 1_000),
            sealed: Data(event.bytes))
    }

    /// A guide who logged in by phone and made the tour known.
    private static func scene(_ server: RunningServer, _ tour: SampleTour) async throws -> (APIClient, TourGroup) {
        let base = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        var client = APIClient(baseURL: base)
        client.token = try await logIn(client, server)
        let door = try OpenedServer(settings: .data(in: server.directory))
        try await door.setRole(.guide, of: phone)
        try await door.storage.close()
        let proof = tour.guide.proof(.group, host: server.host, nonce: try await server.nonce())
        let body = #"{"name":"Kapadokya","genesis":"\#(tour.genesis)",\#(proof)}"#
        return (client, try await client.send("groups", method: "POST", body: Data(body.utf8)))
    }

    private static let phone = "+905551112233"

    private static func logIn(_ client: APIClient, _ server: RunningServer) async throws -> String {
        struct Session: Decodable { var access_token: String }
        let code = try await server.code(for: phone)
        let body = Data(#"{"phone":"\#(phone)","code":"\#(code)"}"#.utf8)
        let session: Session = try await client.send("auth/sms/verify", method: "POST", body: body)
        return session.access_token
    }

    @Test func groupIsMadeAndShown() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            let (client, group) = try await Self.scene(server, tour)
            #expect(group.id == tour.id.hex && group.name == "Kapadokya" && group.isActive)
            #expect(group.guideId == tour.guide.id.hex)
            #expect(group.members == [.init(id: tour.guide.id.hex, role: "creator")])
            #expect(group.startDate == nil && group.endDate == nil && group.lastSyncTime == nil)
            let dates = #"{"startDate":"2026-06-02T06:00:00Z","endDate":"2026-06-05T18:00:00Z"}"#
            let dated: TourGroup = try await client.send(
                "groups/\(group.id)", method: "PATCH", body: Data(dates.utf8))
            #expect(dated.startDate == Date(timeIntervalSince1970: 1_780_380_000))
            #expect(dated.endDate == Date(timeIntervalSince1970: 1_780_682_400))
            let all: [TourGroup] = try await client.send("groups")
            #expect(all.map(\.id) == [group.id] && all.first?.endDate == dated.endDate)
        }
    }

    @Test func messagesAreSyncedAndMarkedAsSent() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let (client, group) = try await Self.scene(server, tour)
            for number in 1...3 { _ = tour.guide.say("\(number)/3", under: tour.epoch, at: SampleTour.wall) }
            var messages = Messages()
            messages.all = tour.guide.log.map { Self.message($0, "…", in: tour) }
            let response = try await client.syncMessages(messages.fetchUnsyncedMessages())
            messages.handleSyncSuccess(response)
            #expect(response.syncTime == Date(timeIntervalSince1970: 1_780_272_000))
            #expect(messages.all.allSatisfy { $0.status == "sent" && $0.syncedAt == response.syncTime })
            #expect(messages.all.count == 5 && messages.fetchUnsyncedMessages().isEmpty)
            let shown: TourGroup = try await client.send("groups/\(group.id)")
            #expect(shown.lastSyncTime == response.syncTime)
        }
    }

    /// What the server did not take must not be marked.
    @Test func refusedMessageStaysPending() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let (client, _) = try await Self.scene(server, tour)
            _ = tour.guide.say("a", under: tour.epoch, at: SampleTour.wall)
            _ = tour.guide.say("b", under: tour.epoch, at: SampleTour.wall)
            var messages = Messages()
            messages.all = tour.guide.log.map { Self.message($0, "…", in: tour) }
            messages.all[3].sealed[messages.all[3].sealed.count - 1] ^= 1
            messages.handleSyncSuccess(try await client.syncMessages(messages.fetchUnsyncedMessages()))
            #expect(messages.all.map(\.status) == ["sent", "sent", "sent", "pending"])
            messages.all[3].sealed = Data(tour.guide.log[3].bytes)
            messages.handleSyncSuccess(try await client.syncMessages(messages.fetchUnsyncedMessages()))
            #expect(messages.fetchUnsyncedMessages().isEmpty)
        }
    }

    /// The guide's `refreshTokenAndRetry`: nothing is lost, and what was there already counts as sent.
    @Test func expiredSessionIsAnAuthenticationErrorAndTheRetryGoesThrough() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            var (client, _) = try await Self.scene(server, tour)
            var messages = Messages()
            messages.all = tour.guide.log.map { Self.message($0, "…", in: tour) }
            // The answer is lost on the way.
            _ = try await client.syncMessages(messages.fetchUnsyncedMessages())
            server.clock.advance(seconds: 900)
            await #expect(throws: NetworkError.authenticationError) {
                try await client.syncMessages(messages.fetchUnsyncedMessages())
            }
            client.token = try await Self.logIn(client, server)
            messages.handleSyncSuccess(try await client.syncMessages(messages.fetchUnsyncedMessages()))
            #expect(messages.fetchUnsyncedMessages().isEmpty)
        }
    }

    @Test func nobodyThereIsNoInternet() async throws {
        let client = APIClient(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
        await #expect(throws: NetworkError.noInternet) { try await client.syncMessages([]) }
    }
}
