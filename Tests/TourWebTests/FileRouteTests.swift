import Foundation
import Logging
import Testing
import TourJSON
import TourNode
import TourWeb

/// Goal: files go in and out by the local API as its description says, and what is no file is refused in its words.
/// Method: a real node without a network behind its socket, on a real directory.
@Suite final class FileRouteTests {
    private let scratch: URL

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: scratch) }

    private func path(_ name: String) -> String { scratch.appendingPathComponent(name).path }

    /// Does the work beside a node that has one tour.
    private func withNode(_ work: (_ request: Request) async throws -> Void) async throws {
        var settings = NodeSettings()
        settings.dataDirectory = path("data")
        settings.isOffline = true
        settings.name = "Anna"
        let service = try NodeService(
            settings: settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await service.run() }
        _ = try await service.ready()
        let socket = path("data") + "/node.sock"
        do {
            _ = try await LocalRequest.made("POST", "/v1/tours", ["name": "Rome"], socket: socket)
            try await work { try await LocalRequest.made($0, "/v1/tours/-" + $1, $2, socket: socket) }
        } catch {
            running.cancel()
            _ = await running.result
            throw error
        }
        running.cancel()
        _ = await running.result
    }

    private typealias Request = (_ method: String, _ path: String, _ body: JSON?) async throws -> LocalRequest

    private static func keys(_ value: JSON?) -> Set<String> {
        guard case .object(let members)? = value else { return [] }
        return Set(members.map(\.name))
    }

    @Test func aFileIsSentListedAndSaved() async throws {
        try Data("the tickets".utf8).write(to: scratch.appendingPathComponent("tickets.txt"))
        try FileManager.default.createDirectory(atPath: path("out"), withIntermediateDirectories: false)
        try await withNode { request in
            let body: JSON = ["path": .text(path("tickets.txt")), "caption": "for all"]
            let sent = try await request("POST", "/files", body)
            #expect(sent.status == 200)
            #expect(Self.keys(sent.body) == ["id", "seq", "status", "blobID", "name", "size"])
            let id = try #require(sent.body["id"]?.text)

            let list = try #require(try await request("GET", "/files", nil).body["files"]?.list)
            #expect(list.count == 1)
            let file = try await request("GET", "/files/\(id.prefix(8))", nil).body
            #expect(file["id"] == list.first?["id"] && file["blobID"] == list.first?["blobID"])
            #expect(
                Self.keys(file) == [
                    "id", "blobID", "tourID", "type", "name", "media", "size", "caption", "width", "height", "authorID",
                    "authorName", "sentAt", "mine", "state", "have", "complete", "peers", "holders", "bytesPerSecond",
                ])
            #expect(file["state"] == "complete" && file["type"] == "file" && file["size"] == 11)
            #expect(file["caption"] == "for all" && file["width"] == .null && file["mine"] == true)

            let saved = try await request("POST", "/files/\(id)/save", ["directory": .text(path("out"))])
            #expect(saved.body["path"]?.text == path("out/tickets.txt"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path("out/tickets.txt"))) == Data("the tickets".utf8))

            let message = try await request("GET", "/messages", nil).body
            #expect(message["type"] == "file" && message["content"] == "for all")
            #expect(message["metadata"]?["name"] == "tickets.txt" && message["metadata"]?["complete"] == true)
            #expect(message["metadata"]?["have"] == 11)
        }
    }

    @Test func whatIsNoneIsRefused() async throws {
        try await withNode { request in
            func refusal(_ method: String, _ path: String, _ body: JSON?) async throws -> [JSON?] {
                let answer = try await request(method, path, body)
                return [.number(String(answer.status)), answer.body["error"]?["code"]]
            }
            #expect(try await refusal("POST", "/files", ["path": "a.txt"]) == [400, "bad-path"])
            #expect(try await refusal("POST", "/files", ["path": "/no/such/file"]) == [400, "no-such-file"])
            #expect(try await refusal("POST", "/files", ["path": .text(path("data"))]) == [400, "not-a-file"])
            #expect(try await refusal("POST", "/files", ["image": true]) == [400, "bad-request"])
            #expect(try await refusal("GET", "/files/abcdef", nil) == [404, "unknown-message"])
            let text = try #require(try await request("POST", "/messages", ["content": "hello"]).body["id"]?.text)
            #expect(try await refusal("GET", "/files/\(text)", nil) == [400, "not-a-file"])
            #expect(try await refusal("POST", "/files/\(text)/fetch", nil) == [400, "not-a-file"])
            #expect(try await refusal("POST", "/files/\(text)/save", ["directory": "."]) == [400, "bad-path"])
            #expect(try await refusal("DELETE", "/files/\(text)", nil) == [400, "not-a-file"])
            #expect(
                try await refusal("POST", "/meeting", ["latitude": 1, "longitude": 2, "text": "x", "photo": "a.jpg"])
                    == [
                        400, "bad-path",
                    ])
        }
    }
}
