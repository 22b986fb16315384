import Foundation
import Logging
import NIOCore
import NIOPosix
import TourNode

/// Real nodes without a network, each in a directory of its own below one that is gone when the test is.
final class ScratchNodes {
    let folder: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tour-nodes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: folder)
    }

    func settings(_ name: String) -> NodeSettings {
        var settings = NodeSettings()
        settings.dataDirectory = folder.appendingPathComponent(name).path
        settings.isOffline = true
        return settings
    }

    /// Starts the node of that directory. It holds the directory until nothing holds the node.
    func node(_ name: String) async throws -> TourNode {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings(name), loop: group.next(), logger: logger)
        _ = try await node.start()
        return node
    }
}
