import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing
import TourNode
import TourWords

/// Goal: a port that cannot be had is said in a sentence that says what to do.
/// Method: a real node that is to listen where somebody else does; other errors of the system.
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
        #expect(refusal?.code == "port")
        #expect(refusal?.message.contains("port \(port): another program has it") == true)
        await node.stop()
        try await stranger.close()
        try await group.shutdownGracefully()
    }

    @Test func otherTroubleIsSaidToo() {
        let denied = NodeError.port(80, IOError(errnoCode: EACCES, reason: "bind"))
        #expect(denied.message.contains("only the administrator"))
        #expect(NodeError.portTrouble(IOError(errnoCode: EADDRNOTAVAIL, reason: "bind")).english.contains("assign"))
    }
}
