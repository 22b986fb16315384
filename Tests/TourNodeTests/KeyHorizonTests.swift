import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TourAPI
import TourCrypto
import TourNode
import TourStore

/// Goal: the keys of a tour that has been over for long are gone, what could be read still can, also after a restart.
/// Method: a real node without a network on a real directory; the wall clock is an argument.
@Suite final class KeyHorizonTests {
    private static let day: Int64 = 86_400_000
    private let scratch: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init() throws {
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-horizon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: scratch)
    }

    private func node(in directory: String = "data") async throws -> TourNode {
        var settings = NodeSettings()
        settings.dataDirectory = scratch.appendingPathComponent(directory).path
        settings.isOffline = true
        settings.name = "Anna"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings, loop: group.next(), logger: logger)
        _ = try await node.start()
        return node
    }

    private static var wall: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func texts(_ node: TourNode) async throws -> [String] {
        var listing = try await node.view(nil).listing(TourView.Selection())
        var texts = [String]()
        while let messages = try listing.next() { texts += messages.map(\.content) }
        return texts
    }

    /// Whether the node holds a key of the tour.
    private func hasKey(_ node: TourNode) async throws -> Bool { try await node.status(nil).status.sealing == "ready" }

    /// How many epochs' keys and wrapping keys the directory holds, which no node does: what is behind identity and
    /// link key, 49 bytes a wrapping key and 64 an epoch's.
    private func storedKeyBytes(in directory: String) throws -> Int {
        try withStore(in: directory) { try $0.tours()[0].secrets.count - 98 }
    }

    /// What the directory holds, which no node does.
    private func withStore<Value>(in directory: String, _ body: (TourStore) throws -> Value) throws -> Value {
        let directory = try DataDirectory(path: scratch.appendingPathComponent(directory).path)
        let key = try StorageKeyFile.open(directory, passphrase: nil)
        let store = try TourStore(directory: directory, storageKey: key) { _, _ in nil }
        defer { try? store.close() }
        return try body(store)
    }

    /// The keys are out of memory and the database's log could not be emptied: it is tried again.
    @Test func aWipeThatFailedOnTheDiskIsTriedAgain() async throws {
        let node = try await node()
        let own = try await node.createTour(name: "Rome", fullHistory: true).memberID
        try await node.closeTour(nil)
        try await node.wipeKeys(in: nil, wallMilliseconds: Self.wall)
        try await node.wipeKeys(in: nil, wallMilliseconds: Self.wall + 31 * Self.day)
        await node.stop()
        try FileManager.default.copyItem(
            at: scratch.appendingPathComponent("data"), to: scratch.appendingPathComponent("copy"))
        let owed = "wipe-owed/\(own)"
        #expect(try withStore(in: "copy") { try $0.setting(owed) } == nil)
        // As it is left where the log was not emptied.
        try withStore(in: "copy") { try $0.setSetting(owed, value: [1]) }
        let again = try await self.node(in: "copy")
        try await again.wipeKeys(in: nil, wallMilliseconds: Self.wall)
        try await again.wipeKeys(in: nil, wallMilliseconds: Self.wall + 31 * Self.day)
        await again.stop()
        try FileManager.default.copyItem(
            at: scratch.appendingPathComponent("copy"), to: scratch.appendingPathComponent("last"))
        #expect(try withStore(in: "last") { try $0.setting(owed) } == nil)
    }

    @Test func whatCanBeReadStaysAndTheKeysGo() async throws {
        let node = try await node()
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        _ = try await node.send([Draft(text: "kept for good")], to: nil)
        // While the tour goes on nothing is wiped.
        try await node.wipeKeys(in: nil, wallMilliseconds: Self.wall + 400 * Self.day)
        #expect(try await hasKey(node))
        try await node.closeTour(nil)
        try await node.wipeKeys(in: nil, wallMilliseconds: Self.wall)
        try await node.wipeKeys(in: nil, wallMilliseconds: Self.wall + 29 * Self.day)
        #expect(try await hasKey(node))
        try await node.wipeKeys(in: nil, wallMilliseconds: Self.wall + 31 * Self.day)
        #expect(try await !hasKey(node))
        #expect(try await texts(node) == ["kept for good"])
        await node.stop()
        // A node that has stopped may hold its directory for a moment.
        let data = scratch.appendingPathComponent("data")
        for copy in ["first", "second"] {
            try FileManager.default.copyItem(at: data, to: scratch.appendingPathComponent(copy))
        }
        #expect(try storedKeyBytes(in: "first") == 49)
        let again = try await self.node(in: "second")
        #expect(try await !hasKey(again))
        #expect(try await texts(again) == ["kept for good"])
        let tour = try await again.tour(nil)
        #expect(tour.name == "Rome" && tour.state == .closed)
        #expect(try await again.members(nil).members.map(\.name) == ["Anna"])
        // The log has its keys wrapped to wrapping keys that are gone too.
        #expect(try await again.status(nil).status.rejected.isEmpty)
        await again.stop()
    }
}
