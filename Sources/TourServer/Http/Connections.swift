import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The connections of each client address. One address has a part of all, so that it shuts nobody out.
final class Connections: Sendable {
    private let perAddressMax: Int
    private let counts = Mutex<[String: Int]>([:])

    init(perAddressMax: Int) { self.perAddressMax = perAddressMax }

    /// - Returns: false when the address has as many as it may have; else `leave` follows.
    func enter(_ address: String) -> Bool {
        counts.withLock { counts in
            guard counts[address, default: 0] < perAddressMax else { return false }
            counts[address, default: 0] += 1
            return true
        }
    }

    func leave(_ address: String) {
        counts.withLock { counts in
            let left = counts[address, default: 1] - 1
            counts[address] = left > 0 ? left : nil
        }
    }
}

/// Ends the connection as soon as it begins.
private final class EndAtOnce: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    func channelActive(context: ChannelHandlerContext) { context.close(promise: nil) }
}

/// A connection that is counted by the address that it comes from, and set up as `base` says.
struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        let address = channel.remoteAddress.map(ClientAddress.name(of:)) ?? ""
        guard connections.enter(address) else {
            // Set up all the same: a connection that cannot be is an error of the socket that all come from.
            return channel.pipeline.addHandler(EndAtOnce()).flatMap { base.setup(channel: channel, logger: logger) }
        }
        channel.closeFuture.whenComplete { [connections] _ in connections.leave(address) }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
