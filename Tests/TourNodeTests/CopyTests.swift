import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TourNode

/// Goal: no copy of a data directory writes before it may. Method: real nodes without a network, on real directories
/// that are copied, backed up and restored.
@Suite final class CopyTests {
    private let scratch: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-copies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: scratch)
    }

    private func settings(_ name: String) -> NodeSettings {
        var settings = NodeSettings()
        settings.dataDirectory = scratch.appendingPathComponent(name).path
        settings.isOffline = true
        return settings
    }

    private func node(_ name: String) async throws -> TourNode {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings(name), loop: group.next(), logger: logger)
        _ = try await node.start()
        return node
    }

    /// A node with a tour and a message, which has ended.
    private func begin(_ name: String) async throws -> (id: String, sequence: UInt64) {
        let node = try await node(name)
        _ = try await node.createTour(name: "Walk", fullHistory: true)
        let sequence = try await Self.send("before", node)
        await node.stop()
        return (node.nodeID, sequence)
    }

    @discardableResult
    private static func send(_ text: String, _ node: TourNode) async throws -> UInt64 {
        let sent = try await node.send([TourNode.Draft(text: text)], to: nil)
        return try #require(sent.first).get().seq
    }

    private static func refusal(_ node: TourNode) async -> String {
        do {
            try await send("too early", node)
            return "none"
        } catch {
            return (error as? NodeError)?.code ?? "\(error)"
        }
    }

    @Test func aCopyWaitsForTheOthersOrTheUser() async throws {
        let original = try await begin("data")
        try FileManager.default.copyItem(
            at: scratch.appendingPathComponent("data"), to: scratch.appendingPathComponent("copy"))
        let copy = try await node("copy")
        #expect(copy.nodeID != original.id)
        #expect(try await copy.status(nil).ownLog == "recovering")
        #expect(await Self.refusal(copy) == "recovering")
        let checks = await copy.doctor()
        #expect(checks.contains { $0.name == "own log" && $0.state == .warning })
        _ = try await copy.recoverTour(nil, by: .nothingSince)
        #expect(try await Self.send("after", copy) == original.sequence + 1)
        await #expect(throws: NodeError.self) { _ = try await copy.recoverTour(nil, by: .newKey) }
        await copy.stop()
    }

    @Test func aRestoredNodeWaitsAndAGivenUpKeyNeverWrites() async throws {
        let passphrase = Array("lantern".utf8)
        let backup = scratch.appendingPathComponent("trip.backup").path
        let original = try await node("data")
        _ = try await original.createTour(name: "Walk", fullHistory: true)
        let sequence = try await Self.send("before", original)
        var last: TourNode.BackupStep?
        for try await step in try original.backUp(to: backup, passphrase: passphrase) { last = step }
        #expect(last?.event == .done)
        try await Self.send("after the backup", original)
        await original.stop()
        for (name, isRetiring, code) in [("waiting", false, "recovering"), ("retired", true, "key-retired")] {
            let made = try TourNode.restore(
                from: backup, passphrase: passphrase, isRetiring: isRetiring, settings: settings(name)
            ) { _, _ in }
            #expect(made.tours == ["Walk"] && made.storageKey == "file")
            let restored = try await node(name)
            #expect(try await restored.status(nil).storageKey == "file")
            #expect(restored.nodeID != original.nodeID)
            #expect(await Self.refusal(restored) == code)
            if !isRetiring {
                _ = try await restored.recoverTour(nil, by: .nothingSince)
                // The user's word was wrong; this is what the waiting is for.
                #expect(try await Self.send("again", restored) == sequence + 1)
            }
            await restored.stop()
        }
    }
}
