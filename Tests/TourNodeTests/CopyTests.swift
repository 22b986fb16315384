import Foundation
import Testing
import TourAPI
import TourNode

/// Goal: no copy of a data directory writes before it may. Method: real nodes without a network, on real directories
/// that are copied, backed up and restored.
@Suite struct CopyTests {
    private let nodes: ScratchNodes

    init() throws { nodes = try ScratchNodes() }

    /// A node with a tour and a message, which has ended.
    private func begin(_ name: String) async throws -> (id: String, sequence: UInt64) {
        let node = try await nodes.node(name)
        _ = try await node.createTour(name: "Walk", fullHistory: true)
        let sequence = try await Self.send("before", node)
        await node.stop()
        return (node.nodeID, sequence)
    }

    @discardableResult
    private static func send(_ text: String, _ node: TourNode) async throws -> UInt64 {
        let sent = try await node.send([Draft(text: text)], to: nil)
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
            at: nodes.folder.appendingPathComponent("data"), to: nodes.folder.appendingPathComponent("copy"))
        let copy = try await nodes.node("copy")
        #expect(copy.nodeID != original.id)
        #expect(try await copy.status(nil).status.ownLog == "recovering")
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
        let backup = nodes.folder.appendingPathComponent("trip.backup").path
        let original = try await nodes.node("data")
        _ = try await original.createTour(name: "Walk", fullHistory: true)
        let sequence = try await Self.send("before", original)
        var last: BackupStep?
        for try await step in try original.backUp(to: backup, passphrase: passphrase) { last = step }
        #expect(last?.event == .done)
        try await Self.send("after the backup", original)
        await original.stop()
        for (name, isRetiring, code) in [("waiting", false, "recovering"), ("retired", true, "key-retired")] {
            let made = try TourNode.restore(
                from: backup, passphrase: passphrase, isRetiring: isRetiring, settings: nodes.settings(name)
            ) { _, _ in }
            #expect(made.tours == ["Walk"] && made.storageKey == "file")
            let restored = try await nodes.node(name)
            #expect(try await restored.status(nil).status.storageKey == "file")
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
