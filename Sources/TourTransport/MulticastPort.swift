import NIOCore
import NIOPosix
import TourModel

/// The sockets for datagrams to everybody on one interface: IPv4 and, where the interface has it, IPv6. Both are heard;
/// what is said goes out on one of them. Source: `Protocol/08-datagrams.md`, "Transport".
///
/// Lives on one event loop, like the links.
package final class MulticastPort: Sendable {
    package static let port = 29_795
    package static let groupIPv4 = "239.255.116.99"
    package static let groupIPv6 = "ff12::7463"

    /// Datagrams that the system had, and where each came from.
    /// - Returns: how long the next may gather with the system before they are handed over; nil: not at all.
    package typealias Receive = @Sendable ([AddressedEnvelope<ByteBuffer>]) -> TimeAmount?

    private let channels: [any Channel]
    private let destination: SocketAddress
    /// For casts, which would fill the queue of the others.
    private let castChannel: (any Channel)?

    private init(channels: [any Channel], destination: SocketAddress, castChannel: (any Channel)?) {
        self.channels = channels
        self.destination = destination
        self.castChannel = castChannel
    }

    /// - Parameter devices: the addresses of one interface.
    /// - Parameter receive: called on the loop.
    /// - Returns: nil when the interface takes no multicast.
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

    /// Sends to everybody on the interface. What the system does not take at once is lost, as any datagram may be.
    package func send(_ bytes: [UInt8]) {
        guard let channel = channels.first, channel.isWritable else { return }
        let envelope = AddressedEnvelope(
            remoteAddress: destination, data: channel.allocator.buffer(bytes: bytes))
        channel.writeAndFlush(envelope, promise: nil)
    }

    /// Whether files can be cast here.
    package var takesCasts: Bool { castChannel?.isActive == true }

    /// Sends a batch of a cast to everybody on the interface. Its socket queues little: what is said meanwhile waits no
    /// longer than for that.
    /// - Returns: done when the system took all of it, or will not; nil when nothing goes out here any more.
    package func cast(_ batch: [[UInt8]]) -> EventLoopFuture<Void>? {
        guard let channel = castChannel, channel.isActive, !batch.isEmpty else { return nil }
        let writes = batch.map { bytes in
            channel.write(
                AddressedEnvelope(remoteAddress: destination, data: channel.allocator.buffer(bytes: bytes)))
        }
        channel.flush()
        return EventLoopFuture.andAllComplete(writes, on: channel.eventLoop)
    }

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
        // A link-local address is there on every interface with IPv6, and reaches whoever shares it.
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

    /// Datagrams that are read at once, and room for each: more than any of ours has.
    private static let readsAtOnce = 8
    private static let readBytes = 2_048

    /// Bytes of a cast that the system queues. It counts what it keeps around them too: five to ten datagrams.
    private static let castQueueBytes = 8_192

    /// A socket that only sends, from any port.
    /// - Returns: nil when there is none.
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
            // With its interface: the group is another one on each.
            return try SocketAddress.makeAddressResolvingHost(
                "\(MulticastPort.groupIPv6)%\(device.name)", port: MulticastPort.port)
        }
    }

    /// IPv6 binds to the group on its interface; IPv4 to all, and takes what its own membership brings.
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
            // Without this a socket hears what any socket of the machine has joined, on all interfaces.
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

    /// `ip_mreqn` of Linux, for a choice by number.
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

/// Hands over what arrives.
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

    // A network that went down shows here; the port stays for when it is back.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
