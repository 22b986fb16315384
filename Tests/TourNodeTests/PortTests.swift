import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing
import TourNode

/// Goal: a port that cannot be had is an error that names the port, and why.
/// Method: a real node that is to listen where somebody else does.
@Suite struct PortTests {
    @Test func aPortThatIsTakenIsSaid() async throws {
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-port-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let stranger = try await ServerBootstrap(group: group).bind(host: "::", port: 0).get()
        let port = UInt16(try #require(stranger.localAddress?.port))
        var settings = NodeSettings()
        settings.dataDirectory = scratch.path
        settings.listenPort = port
        settings.usesMDNS = false
        settings.usesMulticast = false
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings, loop: group.next(), logger: logger)
        let refusal = await #expect(throws: NodeError.self) { _ = try await node.start() }
        #expect(refusal == .network(.port(port, code: EADDRINUSE)))
        await node.stop()
        try await stranger.close()
        try await group.shutdownGracefully()
    }
}
