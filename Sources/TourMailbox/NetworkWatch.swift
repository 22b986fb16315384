import CNetlink
import NIOCore
import NIOPosix

/// Reports when this machine gets an address or a route: the kernel says so, without polling. Source: rtnetlink(7).
package final class NetworkWatch: Sendable {
    private let channel: any Channel

    /// - Parameter arrived: called on the loop, once for changes that arrive together.
    /// - Throws: where the system has no such socket.
    package init(loop: any EventLoop, arrived: @escaping @Sendable () -> Void) async throws {
        let descriptor = netlink_open_routes()
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "netlink") }
        channel = try await NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NetworkWatchHandler(arrived: arrived))
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor).get()
    }

    /// Ends the reports.
    package func close() { channel.close(promise: nil) }
}

private final class NetworkWatchHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let arrived: @Sendable () -> Void

    init(arrived: @escaping @Sendable () -> Void) { self.arrived = arrived }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isNews = unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
            bytes.baseAddress.map { netlink_tells_of_arrival($0, Int32(clamping: bytes.count)) != 0 } ?? false
        }
        if isNews { arrived() }
    }

    /// More changes than the socket's buffer holds: something changed.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { arrived() }
}
