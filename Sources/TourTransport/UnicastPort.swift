import NIOCore
import NIOPosix
import TourModel

/// The socket for datagrams to single neighbours: any free port, on all addresses of IPv6 and IPv4, or only of IPv4
/// where the machine has no IPv6. Source: `Protocol/08-datagrams.md`, "Paths".
///
/// Lives on one event loop, like the links.
package final class UnicastPort: Sendable {
    private let channel: any Channel
    private let hasIPv6: Bool

    private init(channel: any Channel, hasIPv6: Bool) {
        self.channel = channel
        self.hasIPv6 = hasIPv6
    }

    /// - Parameter receive: called on the loop.
    /// - Throws: the system's error.
    package static func open(
        on loop: any EventLoop, receive: @escaping MulticastPort.Receive
    ) async throws -> UnicastPort {
        let bootstrap = DatagramBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(DatagramHandler(receive: receive))
            }
        }
        do {
            return UnicastPort(channel: try await bootstrap.bind(host: "::", port: 0).get(), hasIPv6: true)
        } catch {
            return UnicastPort(channel: try await bootstrap.bind(host: "0.0.0.0", port: 0).get(), hasIPv6: false)
        }
    }

    /// The UDP port.
    package var port: Int { channel.localAddress?.port ?? 0 }

    /// Sends a datagram. A datagram that the system does not accept at once is lost, as any may be.
    package func send(_ bytes: [UInt8], to address: SocketAddress) {
        guard channel.isWritable, let destination = reachable(address) else { return }
        let envelope = AddressedEnvelope(remoteAddress: destination, data: channel.allocator.buffer(bytes: bytes))
        channel.writeAndFlush(envelope, promise: nil)
    }

    /// Closes the socket.
    package func close() { channel.close(promise: nil) }

    /// A socket of both address families writes IPv4 addresses inside IPv6 ones.
    private func reachable(_ address: SocketAddress) -> SocketAddress? {
        guard hasIPv6, case .v4 = address, let host = address.ipAddress, let port = address.port else {
            return address
        }
        return try? SocketAddress(ipAddress: "::ffff:\(host)", port: port)
    }
}
