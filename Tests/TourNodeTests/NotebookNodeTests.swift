import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TourAPI
import TourCrypto
import TourModel
import TourNode
import TourNotebook
import TourStore

/// Goal: a node without a network counts what waits for the server, gives the files that are here and says what it
/// lacks. Method: real nodes without a network, over stores that were written before.
@Suite final class NotebookNodeTests {
    private let scratch: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let place = NotebookID(high: 1, low: 1)
    private static let picture = NotebookAttachment(
        id: NotebookID(high: 2, low: 2), role: .picture, name: "view.jpg", media: "image/jpeg", bytes: 0)

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-notebook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: scratch)
    }

    private func path(_ directory: String) -> String { scratch.appendingPathComponent(directory).path }

    private func withStore<Value>(_ directory: String, _ body: (TourStore) throws -> Value) throws -> Value {
        let place = try DataDirectory(path: path(directory))
        let key = try StorageKeyFile.open(place, passphrase: nil)
        let store = try TourStore(directory: place, storageKey: key, decode: { _, _ in nil })
        let value = try body(store)
        try store.close()
        return value
    }

    private func withNode(_ directory: String, _ body: (TourNode) async throws -> Void) async throws {
        var settings = NodeSettings()
        settings.dataDirectory = path(directory)
        settings.isOffline = true
        settings.name = "Anna"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings, loop: group.next(), logger: logger)
        _ = try await node.start()
        try await body(node)
        await node.stop()
    }

    private static func refusal(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return "none"
        } catch {
            return (error as? NodeError)?.code ?? "\(error)"
        }
    }

    @Test func whatWaitsIsCountedAndFilesAreGiven() async throws {
        let address = "https://tours.example" + PlaceFile(id: NotebookID(high: 3, low: 3)).path
        try withStore("data") { store in
            try store.editNotebook(
                [
                    .put(Self.place, .place(SavedPlace(title: "Observatory", fileURL: address))),
                    .attach(Self.place, Self.picture, [1, 2, 3]),
                ], now: 100)
        }
        try await withNode("data") { node in
            let status = try await node.status(nil).status
            #expect(status.notebookPending == 2 && status.notebookProblem == nil)
            #expect(try await node.notebook.file(Self.picture.id, of: Self.place).bytes == [1, 2, 3])
            let unknown = await Self.refusal { _ = try await node.notebook.file(Self.place, of: Self.place) }
            #expect(unknown == "unknown-file")
            // That one is at a server, and there is none.
            let elsewhere = await Self.refusal {
                _ = try await node.notebook.file(NotebookID(high: 3, low: 3), of: Self.place)
            }
            #expect(elsewhere == "no-mailbox")
        }
    }

    @Test func unlinkingMakesEverythingNew() async throws {
        try withStore("data") { store in
            _ = try store.claimNotebook(for: "account")
            try store.editNotebook([.put(Self.place, .place(SavedPlace(title: "Observatory")))], now: 100)
            let next = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: false))
            let answer = DeltaAnswer(updated: [], deleted: [], serverTime: "2026-06-01T08:00:00.000001Z")
            #expect(try store.apply(answer, to: next.exchange) && store.notebookPending() == 0)
        }
        try await withNode("data") { node in
            try await node.notebook.unlink()
            #expect(try await node.status(nil).status.notebookPending == 1)
        }
        // What is left of the node may hold its directory for a moment yet.
        try FileManager.default.copyItem(atPath: path("data"), toPath: path("copy"))
        let account = try withStore("copy") { store in try store.notebookAccount() }
        #expect(account == nil)
    }
}
