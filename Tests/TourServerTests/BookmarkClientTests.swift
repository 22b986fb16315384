import Foundation
import FoundationNetworking
import NIOHTTP1
import Testing

/// Goal: the client of the bookmarks guide saves places, sends pictures and syncs, by changing its base address alone.
/// Method: its models and its service, as the guide has them, against a whole server; two of them sync one account.
struct BookmarkClientTests {
    private struct UserProfile: Codable, Identifiable {
        let id: UUID
        var email: String?
        var displayName: String
        var isAnonymous: Bool
        var isPro: Bool
        var lastSyncAt: Date?

        enum CodingKeys: String, CodingKey {
            case id, email
            case displayName = "display_name"
            case isAnonymous = "is_anonymous"
            case isPro = "is_pro"
            case lastSyncAt = "last_sync_at"
        }
    }

    private struct CloudBookmark: Codable, Identifiable {
        let id: UUID
        var localId: UUID?
        var categoryId: UUID?
        var title: String
        var url: String?
        var note: String?
        var source: String
        var isRead: Bool
        var isFavorite: Bool
        var tags: [String]?
        var imageUrls: [String]?
        var fileUrl: String?
        var syncVersion: Int

        enum CodingKeys: String, CodingKey {
            case id, title, url, note, source, tags
            case localId = "local_id"
            case categoryId = "category_id"
            case isRead = "is_read"
            case isFavorite = "is_favorite"
            case imageUrls = "image_urls"
            case fileUrl = "file_url"
            case syncVersion = "sync_version"
        }

        /// The conversion that the guide leaves to its reader.
        var dictionary: [String: Any] {
            let object = (try? JSONEncoder().encode(self)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
            return object as? [String: Any] ?? [:]
        }
    }

    private struct CloudCategory: Codable, Identifiable {
        let id: UUID
        var localId: UUID?
        var name: String
        var icon: String
        var color: String
        var order: Int

        enum CodingKeys: String, CodingKey {
            case id, name, icon, color, order
            case localId = "local_id"
        }
    }

    private struct DeltaSyncRequest: Codable {
        var lastSyncTimestamp: String?
        var bookmarks: [CloudBookmark]?
        var categories: [CloudCategory]?
        /// Not in the guide, whose answer has the same field: what was deleted here.
        var deletedIds: [String: [String]]?

        enum CodingKeys: String, CodingKey {
            case lastSyncTimestamp = "last_sync_timestamp"
            case bookmarks, categories
            case deletedIds = "deleted_ids"
        }
    }

    private struct DeltaSyncResponse: Codable {
        let updatedCategories: [CloudCategory]
        let updatedBookmarks: [CloudBookmark]
        let deletedIds: [String: [String]]
        let currentServerTime: String

        enum CodingKeys: String, CodingKey {
            case updatedCategories = "updated_categories"
            case updatedBookmarks = "updated_bookmarks"
            case deletedIds = "deleted_ids"
            case currentServerTime = "current_server_time"
        }
    }

    private enum APIError: Error {
        case serverError(String)
    }

    private struct APIService: Sendable {
        let baseURL: URL
        let token: String?

        private func commonHeaders() -> [String: String] {
            var headers = ["Accept": "application/json"]
            if let token {
                headers["Authorization"] = "Bearer \(token)"
            }
            return headers
        }

        func fetch<T: Codable>(endpoint: String) async throws -> T {
            let url = baseURL.appendingPathComponent(endpoint)
            var request = URLRequest(url: url)
            request.allHTTPHeaderFields = commonHeaders()
            let (data, response) = try await URLSession.patient.data(for: request)
            guard let httpResponse = response as? HTTPURLResponse, (200...299).contains(httpResponse.statusCode) else {
                throw APIError.serverError("Fetch failed")
            }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(T.self, from: data)
        }

        /// - Returns: the status, which the guide leaves to its reader.
        func upsertBookmark(bookmark: CloudBookmark, images: [Data]?, file: Data?) async throws -> Int {
            let url = baseURL.appendingPathComponent("bookmarks/upsert")
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            let boundary = "Boundary-\(UUID().uuidString)"
            request.setValue("multipart/form-data; boundary=\(boundary)", forHTTPHeaderField: "Content-Type")
            request.allHTTPHeaderFields?.merge(commonHeaders()) { (_, new) in new }
            var body = Data()
            let payload: [String: Any] = ["bookmarks": [bookmark.dictionary]]
            let jsonData = try JSONSerialization.data(withJSONObject: payload)
            let jsonString = String(data: jsonData, encoding: .utf8)!
            body.append("--\(boundary)\r\n".data(using: .utf8)!)
            body.append("Content-Disposition: form-data; name=\"payload\"\r\n\r\n".data(using: .utf8)!)
            body.append("\(jsonString)\r\n".data(using: .utf8)!)
            if let images = images {
                for (index, imageData) in images.enumerated() {
                    body.append("--\(boundary)\r\n".data(using: .utf8)!)
                    body.append(
                        "Content-Disposition: form-data; name=\"images[]\"; filename=\"image\(index).jpg\"\r\n".data(
                            using: .utf8)!)
                    body.append("Content-Type: image/jpeg\r\n\r\n".data(using: .utf8)!)
                    body.append(imageData)
                    body.append("\r\n".data(using: .utf8)!)
                }
            }
            if let fileData = file {
                body.append("--\(boundary)\r\n".data(using: .utf8)!)
                body.append(
                    "Content-Disposition: form-data; name=\"file\"; filename=\"document.pdf\"\r\n".data(using: .utf8)!)
                body.append("Content-Type: application/pdf\r\n\r\n".data(using: .utf8)!)
                body.append(fileData)
                body.append("\r\n".data(using: .utf8)!)
            }
            body.append("--\(boundary)--\r\n".data(using: .utf8)!)
            request.httpBody = body
            let (_, response) = try await URLSession.patient.data(for: request)
            return (response as? HTTPURLResponse)?.statusCode ?? 0
        }

        /// `POST /sync/delta`, in the style of the others.
        func sync(_ delta: DeltaSyncRequest) async throws -> DeltaSyncResponse {
            var request = URLRequest(url: baseURL.appendingPathComponent("sync/delta"))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.allHTTPHeaderFields?.merge(commonHeaders()) { (_, new) in new }
            request.httpBody = try JSONEncoder().encode(delta)
            let (data, response) = try await URLSession.patient.data(for: request)
            guard let httpResponse = response as? HTTPURLResponse, (200...299).contains(httpResponse.statusCode) else {
                throw APIError.serverError("Sync failed")
            }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(DeltaSyncResponse.self, from: data)
        }

        func load(_ address: String) async throws -> (Data, HTTPURLResponse?) {
            var request = URLRequest(url: try #require(URL(string: address)))
            request.allHTTPHeaderFields = commonHeaders()
            let (data, response) = try await URLSession.patient.data(for: request)
            return (data, response as? HTTPURLResponse)
        }
    }

    private static func service(_ server: RunningServer, _ token: String?) throws -> APIService {
        APIService(baseURL: try #require(URL(string: "http://127.0.0.1:\(server.port)/api/v1")), token: token)
    }

    private static func bookmark(_ title: String) -> CloudBookmark {
        CloudBookmark(
            id: UUID(), localId: UUID(), categoryId: nil, title: title, url: "https://example.org/a?b=1&c=ğ",
            note: "Sabah erken \"git\"\n<b>x</b>", source: "manual", isRead: false, isFavorite: true,
            tags: ["müze", "日本"], imageUrls: nil, fileUrl: nil, syncVersion: 1)
    }

    @Test func profileIsTheAccounts() async throws {
        try await RunningServer.run { server async throws in
            let service = try Self.service(server, try await server.newAccount("ayse@example.org").access_token)
            let profile: UserProfile = try await service.fetch(endpoint: "profile")
            #expect(profile.email == "ayse@example.org" && profile.displayName == "ayse")
            #expect(!profile.isAnonymous && !profile.isPro && profile.lastSyncAt == nil)
            _ = try await service.sync(DeltaSyncRequest())
            let again: UserProfile = try await service.fetch(endpoint: "profile")
            #expect(again.id == profile.id && again.lastSyncAt == Date(timeIntervalSince1970: 1_780_272_000))
            let guest: Tokens = try await server.send(.POST, "/auth/anonymous").decoded()
            let other: UserProfile = try await Self.service(server, guest.access_token).fetch(endpoint: "profile")
            #expect(other.isAnonymous && other.email == nil && other.displayName == "Guest" && other.id != profile.id)
            let pro: UserProfile = try await Self.service(server, try await server.newGuide().access_token)
                .fetch(endpoint: "profile")
            #expect(pro.isPro)
            let nobody = try Self.service(server, nil)
            await #expect(throws: APIError.self) {
                let _: UserProfile = try await nobody.fetch(endpoint: "profile")
            }
        }
    }

    @Test func placeComesBackWithItsPicturesAndItsFile() async throws {
        try await RunningServer.run { server async throws in
            let service = try Self.service(server, try await server.newAccount("a@example.org").access_token)
            let bookmark = Self.bookmark("Topkapı")
            let pictures = [SampleFile.jpeg(70_000, seed: 1), SampleFile.jpeg(300, seed: 2)]
            let file = Data("%PDF-1.7\r\n--x\r\n".utf8)
            #expect(try await service.upsertBookmark(bookmark: bookmark, images: pictures, file: file) == 200)
            let answer = try await service.sync(DeltaSyncRequest())
            let stored = try #require(answer.updatedBookmarks.first)
            #expect(answer.updatedBookmarks.count == 1 && stored.id == bookmark.id && stored.title == bookmark.title)
            #expect(stored.url == bookmark.url && stored.note == bookmark.note && stored.tags == bookmark.tags)
            #expect(stored.localId == bookmark.localId && stored.isFavorite && !stored.isRead)
            #expect(stored.syncVersion == 1)
            let addresses = try #require(stored.imageUrls)
            for (address, picture) in zip(addresses, pictures) {
                let (data, response) = try await service.load(address)
                #expect(data == picture && response?.value(forHTTPHeaderField: "Content-Type") == "image/jpeg")
            }
            #expect(addresses.count == 2)
            let (data, response) = try await service.load(try #require(stored.fileUrl))
            #expect(data == file && response?.value(forHTTPHeaderField: "Content-Type") == "application/pdf")
            let disposition = response?.value(forHTTPHeaderField: "Content-Disposition") ?? ""
            #expect(disposition.hasPrefix("attachment") && disposition.contains("document.pdf"))
            // The app, which knows nothing of the addresses, changes the title: the files stay.
            var renamed = bookmark
            renamed.title = "Topkapı Sarayı"
            renamed.syncVersion = 2
            #expect(try await service.upsertBookmark(bookmark: renamed, images: nil, file: nil) == 200)
            let later = try await service.sync(DeltaSyncRequest(lastSyncTimestamp: answer.currentServerTime))
            #expect(later.updatedBookmarks.map(\.title) == ["Topkapı Sarayı"])
            #expect(later.updatedBookmarks.first?.imageUrls == stored.imageUrls)
            #expect(later.updatedBookmarks.first?.fileUrl == stored.fileUrl)
        }
    }

    /// An app's words about the files of a place that it edits, and how many pictures and files are there afterwards.
    struct FileFields: Sendable {
        var fields: String
        var pictures: Int
        var files: Int
        /// The titles that it gives the place, one after the other.
        var titles = ["B"]
    }

    @Test(arguments: [
        FileFields(fields: #""sync_version":1"#, pictures: 1, files: 1),
        FileFields(fields: #""sync_version":1,"image_urls":[],"file_url":null"#, pictures: 1, files: 1),
        FileFields(fields: #""sync_version":1,"image_urls":null"#, pictures: 1, files: 1),
        FileFields(fields: #""image_urls":[],"file_url":null"#, pictures: 1, files: 1),
        FileFields(fields: #""sync_version":0,"image_urls":null,"file_url":null"#, pictures: 1, files: 1),
        // The answer to the first of these was lost.
        FileFields(
            fields: #""sync_version":1,"image_urls":[],"file_url":null"#, pictures: 1, files: 1, titles: ["B", "C"]),
        // An edit that is counted says what the place has.
        FileFields(fields: #""sync_version":2,"image_urls":[],"file_url":null"#, pictures: 0, files: 0),
        FileFields(fields: #""sync_version":2,"image_urls":[]"#, pictures: 0, files: 1),
        FileFields(
            fields: #""sync_version":2,"base_version":1,"image_urls":null,"file_url":null"#, pictures: 0, files: 0),
    ])
    func filesThatAnAppHasNotHeardOfStay(_ sent: FileFields) async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let service = try Self.service(server, token)
            let bookmark = Self.bookmark("A")
            let picture = SampleFile.jpeg(300, seed: 1)
            #expect(
                try await service.upsertBookmark(bookmark: bookmark, images: [picture], file: Data("%PDF-".utf8)) == 200
            )
            for title in sent.titles {
                let edit = #"{"bookmarks":[{"id":"\#(bookmark.id)","title":"\#(title)",\#(sent.fields)}]}"#
                #expect(try await server.send(.POST, "/api/v1/bookmarks/upsert", token: token, edit).status == 200)
            }
            let stored = try #require(try await service.sync(DeltaSyncRequest()).updatedBookmarks.first)
            #expect(stored.title == sent.titles.last && stored.syncVersion == sent.titles.count + 1)
            #expect((stored.imageUrls ?? []).count == sent.pictures && (stored.fileUrl == nil ? 0 : 1) == sent.files)
        }
    }

    @Test func twoAppsOfOneAccountComeToTheSame() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("b@example.org").access_token
            let login = #"{"email":"b@example.org","password":"correct horse"}"#
            let other: Tokens = try await server.send(.POST, "/auth/login", login).decoded()
            let (phone, tablet) = (try Self.service(server, token), try Self.service(server, other.access_token))
            var category = CloudCategory(id: UUID(), name: "Müzeler", icon: "star", color: "#ff0000", order: 1)
            var first = Self.bookmark("Ayasofya")
            first.categoryId = category.id
            let second = Self.bookmark("Galata")
            let sent = try await phone.sync(DeltaSyncRequest(bookmarks: [first, second], categories: [category]))
            #expect(sent.updatedBookmarks.isEmpty && sent.updatedCategories.isEmpty)
            let got = try await tablet.sync(DeltaSyncRequest())
            #expect(Set(got.updatedBookmarks.map(\.id)) == [first.id, second.id])
            #expect(got.updatedBookmarks.first { $0.id == first.id }?.categoryId == category.id)
            #expect(got.updatedCategories.map(\.name) == ["Müzeler"])
            #expect(got.deletedIds["bookmarks"] == [] && got.deletedIds["categories"] == [])
            // A category has no version in the guide: what changed counts.
            category.name = "Saraylar"
            first.note = "tablet"
            first.syncVersion = 2
            let changed = try await tablet.sync(
                DeltaSyncRequest(
                    lastSyncTimestamp: got.currentServerTime, bookmarks: [first], categories: [category],
                    deletedIds: ["bookmarks": [second.id.uuidString]]))
            #expect(changed.updatedBookmarks.isEmpty && changed.updatedCategories.isEmpty)
            // The phone has changed what it had of the same place: the server's stays, and comes back.
            var stale = first
            stale.note = "phone"
            stale.syncVersion = 1
            let told = try await phone.sync(
                DeltaSyncRequest(lastSyncTimestamp: sent.currentServerTime, bookmarks: [stale]))
            #expect(told.updatedBookmarks.map(\.note) == ["tablet"])
            #expect(told.updatedCategories.map(\.name) == ["Saraylar"])
            #expect(told.deletedIds["bookmarks"]?.compactMap { UUID(uuidString: $0) } == [second.id])
            let quiet = try await phone.sync(DeltaSyncRequest(lastSyncTimestamp: told.currentServerTime))
            #expect(quiet.updatedBookmarks.isEmpty && quiet.updatedCategories.isEmpty)
            #expect(quiet.deletedIds["bookmarks"] == [] && quiet.currentServerTime == told.currentServerTime)
        }
    }
}
