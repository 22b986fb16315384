import NIOCore
import NIOPosix
import TourModel

/// The sockets for datagrams to everybody on one interface: IPv4 and, where the interface has it, IPv6. Both receive;
/// one of them sends. Source: `Protocol/08-datagrams.md`, "Transport".
///
/// Lives on one event loop, like the links.
package final class MulticastPort: Sendable {
    /// The UDP port of all nodes.
    package static let port = 29_795
    /// The IPv4 group of all nodes.
    package static let groupIPv4 = "239.255.116.99"
    /// The IPv6 group of all nodes, on each interface.
    package static let groupIPv6 = "ff12::7463"

    /// Receives the datagrams that the system had, each with its source address.
    /// - Returns: how long further datagrams may gather in the system before the next call; nil: not at all.
    package typealias Receive = @Sendable ([AddressedEnvelope<ByteBuffer>]) -> TimeAmount?

    private let channels: [any Channel]
    private let destination: SocketAddress
    /// For casts, which would otherwise fill the queue of the other socket.
    private let castChannel: (any Channel)?

    private init(channels: [any Channel], destination: SocketAddress, castChannel: (any Channel)?) {
        self.channels = channels
        self.destination = destination
        self.castChannel = castChannel
    }

    /// - Parameter devices: the addresses of one interface.
    /// - Parameter receive: called on the loop.
    /// - Returns: nil when the interface does not support multicast.
    package static func open(
        _ devices: [NIONetworkDevice], on loop: any EventLoop, receive: @escaping Receive
    ) -> EventLoopFuture<MulticastPort?> {
        let openings = Family.allCases.compactMap { family in
            devices.first { family.includes($0) }.map { device in
                family.open(device, on: loop, receive).map { (family, device, $0.channel, $0.destination) }
            }
        }
        return EventLoopFuture.whenAllComplete(openings, on: loop).flatMap { results in
            let open = results.compactMap { try? $0.get() }
            guard let (family, device, _, destination) = open.first else { return loop.makeSucceededFuture(nil) }
            return family.openForCasts(device, on: loop).map {
                MulticastPort(channels: open.map { $0.2 }, destination: destination, castChannel: $0)
            }
        }
    }

    /// Sends to everybody on the interface. A datagram that the system does not accept at once is lost, as any may
    /// be.
    package func send(_ bytes: [UInt8]) {
        guard let channel = channels.first, channel.isWritable else { return }
        let envelope = AddressedEnvelope(
            remoteAddress: destination, data: channel.allocator.buffer(bytes: bytes))
        channel.writeAndFlush(envelope, promise: nil)
    }

    /// Whether files can be cast on this interface.
    package var takesCasts: Bool { castChannel?.isActive == true }

    /// Sends a batch of a cast to everybody on the interface. Its socket has a short queue, and other datagrams wait no
    /// longer than for that.
    /// - Returns: completes when the system has accepted all of it, or will not; nil when this port cannot send casts
    ///   any more.
    package func cast(_ batch: [[UInt8]]) -> EventLoopFuture<Void>? {
        guard let channel = castChannel, channel.isActive, !batch.isEmpty else { return nil }
        let writes = batch.map { bytes in
            channel.write(
                AddressedEnvelope(remoteAddress: destination, data: channel.allocator.buffer(bytes: bytes)))
        }
        channel.flush()
        return EventLoopFuture.andAllComplete(writes, on: channel.eventLoop)
    }

    /// Closes the sockets.
    package func close() {
        for channel in channels { channel.close(promise: nil) }
        castChannel?.close(promise: nil)
    }
}

/// The two kinds of socket.
private enum Family: CaseIterable {
    case ipv4, ipv6

    func includes(_ device: NIONetworkDevice) -> Bool {
        guard device.multicastSupported, let address = device.address else { return false }
        switch (self, address) {
        case (.ipv4, .v4): return true
        // Every interface with IPv6 has a link-local address, which reaches everybody on its network.
        case (.ipv6, .v6): return address.ipAddress?.hasPrefix("fe80") == true
        default: return false
        }
    }

    func open(
        _ device: NIONetworkDevice, on loop: any EventLoop, _ receive: @escaping MulticastPort.Receive
    ) -> EventLoopFuture<(channel: any Channel, destination: SocketAddress)> {
        do {
            let group = try group(on: device)
            return DatagramBootstrap(group: loop)
                // Two nodes on one machine share the port.
                .channelOption(.socketOption(.so_reuseaddr), value: 1)
                .channelOption(.datagramVectorReadMessageCount, value: Self.readsAtOnce)
                .channelOption(
                    .recvAllocator,
                    value: FixedSizeRecvByteBufferAllocator(capacity: Self.readsAtOnce * Self.readBytes)
                )
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(DatagramHandler(receive: receive))
                    }
                }
                .bind(to: try bindAddress(group))
                .flatMap { channel in
                    self.prepare(channel, device)
                        .flatMap { self.join(channel, group, device) }
                        .flatMapError { error in
                            channel.close(promise: nil)
                            return loop.makeFailedFuture(error)
                        }
                        .map { (channel, group) }
                }
        } catch {
            return loop.makeFailedFuture(error)
        }
    }

    /// The datagrams read at once, and the buffer for each: larger than any of ours.
    private static let readsAtOnce = 8
    private static let readBytes = 2_048

    /// The bytes of a cast that the system queues. It also counts its own overhead: five to ten datagrams fit.
    private static let castQueueBytes = 8_192

    /// A socket that only sends, from any port.
    /// - Returns: nil when none can be opened.
    func openForCasts(_ device: NIONetworkDevice, on loop: any EventLoop) -> EventLoopFuture<(any Channel)?> {
        DatagramBootstrap(group: loop)
            .channelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(Self.castQueueBytes))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramHandler { _ in nil })
                }
            }
            .bind(host: self == .ipv4 ? "0.0.0.0" : "::", port: 0)
            .flatMap { channel in
                self.prepare(channel, device).map { channel }.flatMapError { error in
                    channel.close(promise: nil)
                    return loop.makeFailedFuture(error)
                }
            }
            .map { Optional($0) }
            .flatMapErrorThrowing { _ in nil }
    }

    private func group(on device: NIONetworkDevice) throws -> SocketAddress {
        switch self {
        case .ipv4: return try SocketAddress(ipAddress: MulticastPort.groupIPv4, port: MulticastPort.port)
        case .ipv6:
            // With its interface: the group is a different one on each.
            return try SocketAddress.makeAddressResolvingHost(
                "\(MulticastPort.groupIPv6)%\(device.name)", port: MulticastPort.port)
        }
    }

    /// IPv6 binds to the group on its interface; IPv4 binds to all addresses, and receives what its own membership
    /// brings.
    private func bindAddress(_ group: SocketAddress) throws -> SocketAddress {
        switch self {
        case .ipv4: try SocketAddress(ipAddress: "0.0.0.0", port: MulticastPort.port)
        case .ipv6: group
        }
    }

    private func prepare(_ channel: any Channel, _ device: NIONetworkDevice) -> EventLoopFuture<Void> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        switch self {
        case .ipv4:
            // Otherwise a socket receives for every group that any socket of the machine has joined, on all interfaces.
            return options.unsafeSetSocketOption(
                level: .ip, name: Self.multicastAll, value: CInt(0)
            )
            .flatMap {
                options.unsafeSetSocketOption(
                    level: .ip, name: .ip_multicast_if, value: InterfaceChoice(index: CInt(device.interfaceIndex)))
            }
            .flatMap { options.setIPMulticastTTL(1) }
        case .ipv6:
            return options.setIPv6MulticastIF(CUnsignedInt(device.interfaceIndex))
                .flatMap { options.unsafeSetSocketOption(level: .ipv6, name: .ipv6_multicast_hops, value: CInt(1)) }
        }
    }

    /// `ip_mreqn` of Linux, for a choice by index.
    private struct InterfaceChoice {
        let group: UInt32 = 0
        let address: UInt32 = 0
        let index: CInt
    }

    /// IP_MULTICAST_ALL of Linux.
    private static let multicastAll = NIOBSDSocket.Option(rawValue: 49)

    private func join(
        _ channel: any Channel, _ group: SocketAddress, _ device: NIONetworkDevice
    ) -> EventLoopFuture<Void> {
        guard let channel = channel as? any MulticastChannel else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let promise = channel.eventLoop.makePromise(of: Void.self)
        channel.joinGroup(group, device: device, promise: promise)
        return promise.futureResult
    }
}

/// Passes on the datagrams that arrive.
final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: MulticastPort.Receive
    private var arrived: [AddressedEnvelope<ByteBuffer>] = []

    init(receive: @escaping MulticastPort.Receive) { self.receive = receive }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { arrived.append(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !arrived.isEmpty else { return }
        let batch = arrived
        arrived = []
        guard let pause = receive(batch) else { return }
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in }
        context.eventLoop.scheduleTask(in: pause) {
            channel.setOption(.autoRead, value: true).whenComplete { _ in }
        }
    }

    // A network that goes down shows here; the port stays open for its return.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
