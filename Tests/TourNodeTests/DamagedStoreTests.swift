import Foundation
import GRDB
import Logging
import NIOCore
import NIOPosix
import Testing
import TourAPI
import TourNode

/// Goal: a node whose database somebody changed says so, or starts; it never ends by what is in it, since it would end
/// so at every start. Method: a real node without a network, one cell changed between two starts.
@Suite final class DamagedStoreTests {
    private let scratch: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-damaged-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: scratch)
    }

    private func node() async throws -> TourNode {
        var settings = NodeSettings()
        settings.dataDirectory = scratch.appendingPathComponent("data").path
        settings.isOffline = true
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings, loop: group.next(), logger: logger)
        _ = try await node.start()
        return node
    }

    private static let changes = [
        "UPDATE event SET bytes = substr(bytes, 1, 190)", "UPDATE event SET bytes = x''",
        "UPDATE control SET bytes = x'01'", "UPDATE event SET clock = 9223372036854775807",
        "UPDATE event SET sequence = 9223372036854775807 WHERE sequence = (SELECT max(sequence) FROM event)",
        "UPDATE event SET sealed_bytes = 9223372036854775807, control_bytes = 9223372036854775807",
        "UPDATE event SET hops = -9223372036854775808", "UPDATE batch SET received = -9223372036854775808",
        "UPDATE record SET used = 9223372036854775807, read_through = 9223372036854775807",
        "UPDATE watermark SET sent = 9223372036854775807, delivered = 9223372036854775807",
        "UPDATE event SET id = x'00'", "UPDATE author SET id = 'nobody'", "UPDATE record SET used = 'long ago'",
    ]

    @Test(arguments: changes)
    func changedCellEndsNoNode(_ change: String) async throws {
        try await {
            let node = try await node()
            _ = try await node.createTour(name: "Rome", fullHistory: true)
            _ = try await node.send([Draft(text: "Hello"), Draft(text: "Again")], to: nil)
            await node.stop()
        }()
        let database = try DatabaseQueue(path: scratch.appendingPathComponent("data/tour.sqlite").path)
        try await database.writeWithoutTransaction { db in try db.execute(sql: change) }
        try database.close()
        guard let again = try? await node() else { return }
        _ = try? await again.send([Draft(text: "Still here")], to: nil)
        _ = try? await again.status(nil).status
        _ = try? await again.locatedMembers(nil, here: nil)
        await again.stop()
    }
}
