import Foundation
import FoundationNetworking
import Testing

/// The client of the guide to collections and samples, written anew from its words: bearer token, JSON, an envelope
/// around each answer.
struct ItineraryClient: Sendable {
    struct Sample: Decodable, Hashable, Sendable {
        let id: String
        let userId: String
        let title: String
        let materialType: String
        let note: String?
        let place: String?
        let at: Date?
        let isDeleted: Bool
        let createdAt: Date
        let updatedAt: Date
    }

    struct Entry: Decodable, Hashable, Sendable {
        let sampleId: String
        let position: Int
        let addedAt: Date
        let sample: Sample
    }

    struct Collection: Decodable, Hashable, Sendable {
        let id: String
        let userId: String
        let title: String
        let description: String?
        let isDeleted: Bool
        let createdAt: Date
        let updatedAt: Date
        let samples: [Entry]

        /// Titles in order, once their positions were looked at.
        var titles: [String] {
            #expect(samples.map(\.position) == Array(samples.indices), "positions have no gaps")
            #expect(samples.allSatisfy { $0.sampleId == $0.sample.id })
            return samples.map(\.sample.title)
        }
    }

    /// What the guide's table names.
    struct HTTPError: Error, Hashable {
        let status: Int
    }

    private struct Envelope<Value: Decodable>: Decodable {
        let data: Value
    }

    let baseURL: URL
    let token: String

    init(_ server: RunningServer, token: String) throws {
        baseURL = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        self.token = token
    }

    func collections() async throws -> [Collection] { try await send("GET", "collections") }
    func collection(_ id: String) async throws -> Collection { try await send("GET", "collections/\(id)") }
    func samples() async throws -> [Sample] { try await send("GET", "samples") }
    func sample(_ id: String) async throws -> Sample { try await send("GET", "samples/\(id)") }

    func makeCollection(_ title: String) async throws -> Collection {
        try await send("POST", "collections", ["title": title])
    }

    func makeSample(_ title: String, collectionIds: [String]? = nil) async throws -> Sample {
        var body: [String: any Encodable & Sendable] = ["title": title, "materialType": "illustration"]
        if let collectionIds { body["collectionIds"] = collectionIds }
        return try await send("POST", "samples", body)
    }

    func add(_ sampleId: String, to collection: String) async throws -> Entry {
        try await send("POST", "collections/\(collection)/samples", ["sampleId": sampleId])
    }

    func remove(_ sampleId: String, from collection: String) async throws {
        _ = try await data("DELETE", "collections/\(collection)/samples/\(sampleId)", nil)
    }

    func reorder(_ collection: String, _ sampleIds: [String]) async throws -> Collection {
        try await send("PUT", "collections/\(collection)/samples", ["sampleIds": sampleIds])
    }

    func change(_ sample: String, _ body: [String: any Encodable & Sendable]) async throws -> Sample {
        try await send("PATCH", "samples/\(sample)", body)
    }

    func delete(_ path: String) async throws { _ = try await data("DELETE", path, nil) }

    func send<Value: Decodable>(
        _ method: String, _ path: String, _ body: [String: any Encodable & Sendable]? = nil
    ) async throws -> Value {
        let decoder = JSONDecoder()
        // The guide's times have milliseconds, and nothing else does.
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
        }
        return try decoder.decode(Envelope<Value>.self, from: try await data(method, path, body)).data
    }

    private func data(
        _ method: String, _ path: String, _ body: [String: any Encodable & Sendable]?
    ) async throws -> Data {
        var request = URLRequest(url: baseURL.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONEncoder().encode(body.mapValues { AnyField($0) })
        }
        let (data, response) = try await URLSession.patient.data(for: request)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        guard (200..<300).contains(answer.statusCode) else { throw HTTPError(status: answer.statusCode) }
        return data
    }

    private struct AnyField: Encodable {
        let value: any Encodable & Sendable
        init(_ value: any Encodable & Sendable) { self.value = value }
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
}

extension RunningServer {
    /// Somebody with an account.
    func itineraryClient(_ email: String) async throws -> ItineraryClient {
        try ItineraryClient(self, token: try await newAccount(email).access_token)
    }
}
