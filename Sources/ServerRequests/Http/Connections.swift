import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Counts connections by client address. Each address may have a part of all, so that no address shuts out the others.
package final class Connections: Sendable {
    private let perAddressMax: Int
    private let metrics: ServerMetrics
    private let counts = Mutex<[String: Int]>([:])

    package init(perAddressMax: Int, metrics: ServerMetrics) {
        self.perAddressMax = perAddressMax
        self.metrics = metrics
    }

    /// - Returns: false when the address has its maximum; after true the caller must call `leave`.
    func enter(_ address: String) -> Bool {
        let isFree = counts.withLock { counts in
            guard counts[address, default: 0] < perAddressMax else { return false }
            counts[address, default: 0] += 1
            return true
        }
        if isFree { metrics.countConnections(+1) } else { metrics.countRefusal(by: "connections") }
        return isFree
    }

    func leave(_ address: String) {
        metrics.countConnections(-1)
        counts.withLock { counts in
            let left = counts[address, default: 1] - 1
            counts[address] = left > 0 ? left : nil
        }
    }
}

/// Closes the connection as soon as it is active.
private final class EndAtOnce: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    func channelActive(context: ChannelHandlerContext) { context.close(promise: nil) }
}

/// A connection whose bytes are counted: those of HTTP, also where it is decrypted.
package struct MeasuredChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let metrics: ServerMetrics

    package init(base: Base, metrics: ServerMetrics) {
        self.base = base
        self.metrics = metrics
    }

    /// Counts what the connection sends and receives.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.pipeline.addHandler(TrafficCounter(metrics: metrics))
            .flatMap { base.setup(channel: channel, logger: logger) }
    }

    /// Serves the connection.
    package func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// A connection that is counted by its client's address, and set up by `base`.
package struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: Connections

    package init(base: Base, connections: Connections) {
        self.base = base
        self.connections = connections
    }

    /// Takes a place for the connection, or ends it.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        let address = channel.remoteAddress.map(ClientAddress.name(of:)) ?? ""
        guard connections.enter(address) else {
            // Set up all the same: a failed setup would be an error of the listening socket, which all connections
            // share.
            return channel.pipeline.addHandler(EndAtOnce()).flatMap { base.setup(channel: channel, logger: logger) }
        }
        channel.closeFuture.whenComplete { [connections] _ in connections.leave(address) }
        return base.setup(channel: channel, logger: logger)
    }

    /// Serves the connection.
    package func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
