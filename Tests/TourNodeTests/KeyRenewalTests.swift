import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TourAPI
import TourCrypto
import TourNode
import TourStore

/// Goal: a node has a new key as its user asks, and what a kill left of that is ended or taken back at the next start.
/// Method: real nodes without a network on real directories; the states between made by hand, step by step.
@Suite final class KeyRenewalTests {
    private let scratch: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let one = Array("lantern".utf8)
    private static let two = Array("umbrella".utf8)

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-new-key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: scratch)
    }

    private func path(_ name: String) -> String { scratch.appendingPathComponent(name).path }

    private func node(_ name: String, passphrase: [UInt8]? = nil) async throws -> TourNode {
        var settings = NodeSettings()
        settings.dataDirectory = path(name)
        settings.isOffline = true
        settings.setPassphrase(passphrase)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings, loop: group.next(), logger: logger)
        _ = try await node.start()
        return node
    }

    private func begin(_ name: String) async throws {
        let node = try await node(name)
        _ = try await node.createTour(name: "Walk", fullHistory: true)
        try await Self.send("before", node)
        await node.stop()
    }

    private static func send(_ text: String, _ node: TourNode) async throws {
        let sent = try await node.send([Draft(text: text)], to: nil)
        _ = try #require(sent.first).get()
    }

    private static func renew(_ node: TourNode, _ change: TourNode.KeyChange, current: [UInt8]? = nil) async throws {
        var last: KeyStep?
        for try await step in node.renewKey(into: change, current: current) { last = step }
        #expect(last?.event == .done && last?.percent == 100 && last?.storageKey != nil)
    }

    private func keyFiles(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).filter { $0.hasPrefix("storage") }.sorted()
    }

    @Test func theOldKeyOpensNothingNew() async throws {
        try await begin("data")
        let old = try Data(contentsOf: URL(fileURLWithPath: path("data") + "/storage.key"))
        // The directory is held as long as this node is there.
        do {
            let running = try await node("data")
            try await Self.renew(running, .file)
            #expect(try await running.status(nil).status.storageKey == "file")
            try await Self.send("after", running)
            // Once more, now with a passphrase, and once with another.
            try await Self.renew(running, .passphrase(Self.one))
            await #expect(throws: StoreError.passphraseWrong) {
                try await Self.renew(running, .passphrase(Self.two), current: Self.two)
            }
            try await Self.renew(running, .passphrase(Self.two), current: Self.one)
            try await Self.send("at last", running)
            await running.stop()
        }
        #expect(try keyFiles("data") == ["storage.key"])
        // What has the old key: as a thief would put the two together.
        try FileManager.default.copyItem(atPath: path("data"), toPath: path("thief"))
        try old.write(to: URL(fileURLWithPath: path("thief") + "/storage.key"))
        await #expect(throws: StoreError.damaged(.keyMismatch)) { _ = try await self.node("thief") }
        let again = try await node("data", passphrase: Self.two)
        try await Self.send("on we go", again)
        await again.stop()
    }

    /// From a plain key to one under a passphrase, cut short before and after the database was sealed anew.
    @Test(arguments: [false, true])
    func aChangeThatWasCutShortIsEndedOrTakenBack(isSealed: Bool) async throws {
        try await begin("data")
        do {
            let directory = try DataDirectory(path: path("data"))
            let old = try StorageKeyFile.open(directory, passphrase: nil)
            let store = try TourStore(directory: directory, storageKey: old) { _, _ in nil }
            let new = SecretBytes.random(count: 32)
            try StorageKeyFile.protect(directory, .next, key: new, passphrase: Self.one)
            try directory.keepKeyReachable()
            if isSealed { try store.renewKey(new) { _, _ in } }
            try store.close()
        }
        #expect(try keyFiles("data") == ["storage.key", "storage.key.next", "storage.key.old"])
        if isSealed {
            await #expect(throws: StoreError.passphraseNeeded) { _ = try await self.node("data") }
            await #expect(throws: StoreError.passphraseWrong) {
                _ = try await self.node("data", passphrase: Self.two)
            }
            // Neither refusal has changed anything.
            #expect(try keyFiles("data").count == 3)
        }
        let node = try await node("data", passphrase: isSealed ? Self.one : nil)
        #expect(try await node.status(nil).status.storageKey == (isSealed ? "passphrase" : "file"))
        try await Self.send("after", node)
        await node.stop()
        #expect(try keyFiles("data") == ["storage.key"])
    }
}
