import Foundation
import Logging
import TourJSON
import TourNode
import TourWeb

/// A real node without a network behind its socket, on a directory of its own.
final class OfflineNode: Sendable {
    let scratch: URL

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: scratch) }

    func path(_ name: String) -> String { scratch.appendingPathComponent(name).path }

    private var socket: String { path("data") + "/node.sock" }

    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> LocalRequest {
        try await LocalRequest.made(method, "/v1" + path, body, socket: socket)
    }

    func ask(_ method: String, _ path: String, text: String) async throws -> LocalRequest {
        try await LocalRequest.made(method, "/v1" + path, bytes: Array(text.utf8), socket: socket)
    }

    func ask(_ method: String, _ path: String, bytes: [UInt8]) async throws -> LocalRequest {
        try await LocalRequest.made(method, "/v1" + path, bytes: bytes, socket: socket)
    }

    /// Does the work beside the node.
    func run(change: (inout NodeSettings) -> Void = { _ in }, _ work: () async throws -> Void) async throws {
        var settings = NodeSettings()
        settings.dataDirectory = path("data")
        settings.isOffline = true
        settings.name = "Anna"
        change(&settings)
        let service = try NodeService(
            settings: settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await service.run() }
        _ = try await service.ready()
        do { try await work() } catch {
            running.cancel()
            _ = await running.result
            throw error
        }
        running.cancel()
        _ = await running.result
    }
}
