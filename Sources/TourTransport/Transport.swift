import NIOCore
import NIOPosix
import TourLink
import TourModel
import TourWire

/// Listens and dials: the only place that creates sockets of the mesh. All connections live on one event loop.
package struct Transport: Sendable {
    private let loop: any EventLoop
    private weak let owner: (any LinkOwner)?
    private let networks: BlobValve.Networks

    package init(loop: any EventLoop, owner: any LinkOwner) {
        self.loop = loop
        self.owner = owner
        networks = .makeBoxSendingValue(
            BlobNetworks(loop: loop) { [weak owner] in owner?.surroundings.now }, eventLoop: loop)
    }

    /// Listens on all addresses, IPv6 and IPv4; only on IPv4 where the machine has no IPv6.
    /// - Parameter port: 0 for any free one.
    /// - Throws: the system's error, for instance that the port is taken.
    package func listen(port: UInt16) async throws -> any Channel {
        do {
            return try await bootstrap.bind(host: "::", port: Int(port)).get()
        } catch {
            return try await bootstrap.bind(host: "0.0.0.0", port: Int(port)).get()
        }
    }

    private var bootstrap: ServerBootstrap {
        ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(Self.unsentLowWater), value: Self.unsentBytes)
            .childChannelOption(.writeBufferWaterMark, value: Self.waterMark)
            .childChannelInitializer { [owner, networks] channel in
                channel.eventLoop.makeCompletedFuture {
                    let address = channel.remoteAddress?.ipAddress ?? ""
                    guard let owner, owner.admits(address: address) else { throw Refused() }
                    let now = owner.surroundings.now
                    let connection = LinkConnection(
                        machine: LinkMachine(acceptedAt: now, from: address), channel: channel, direction: .inbound,
                        openedAt: now, owner: owner, networks: networks)
                    try channel.pipeline.syncOperations.addHandler(LinkHandler(connection))
                    owner.accepted(connection)
                }
            }
    }

    /// Dials one address; the handshake then runs, and ends in the owner's `opened` or `closed`.
    package func dial(
        host: String, port: UInt16, intent: DialIntent, salt: [UInt8]
    ) -> EventLoopFuture<LinkConnection> {
        ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.tcpOption(Self.unsentLowWater), value: Self.unsentBytes)
            .channelOption(.writeBufferWaterMark, value: Self.waterMark)
            .connectTimeout(.seconds(4))
            .connect(host: host, port: Int(port))
            .flatMapThrowing { [owner, networks] channel in
                guard let owner else { throw Refused() }
                let now = owner.surroundings.now
                var outputs = [LinkMachine.Output]()
                let machine = LinkMachine(dialling: intent, salt: salt, now: now, into: &outputs)
                let connection = LinkConnection(
                    machine: machine, channel: channel, direction: .outbound, openedAt: now, owner: owner,
                    networks: networks)
                try channel.pipeline.syncOperations.addHandler(LinkHandler(connection))
                connection.start(outputs)
                return connection
            }
    }

    /// The connection is not accepted: too many handshakes are in progress, or the node is stopping.
    private struct Refused: Error {}

    /// The kernel's buffer is deep enough; everything else stays in the machine, where urgency still counts.
    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 8 * 1024, high: 32 * 1024)

    /// TCP_NOTSENT_LOWAT of Linux: the kernel would accept megabytes for a slow peer, and nothing overtakes there. With
    /// this option it accepts no more while this many bytes are unsent.
    private static let unsentLowWater = NIOBSDSocket.Option(rawValue: 25)
    private static let unsentBytes: ChannelOptions.Types.SocketOption.Value = 16 * 1024
}
