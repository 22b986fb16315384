import NIOCore

/// Counts the bytes of a connection: those of HTTP, since it stands behind TLS.
package final class TrafficCounter: ChannelDuplexHandler, Sendable {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    private let metrics: ServerMetrics

    init(metrics: ServerMetrics) { self.metrics = metrics }

    /// Counts bytes that arrive.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        metrics.countReceived(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    /// Counts bytes that leave.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        metrics.countSent(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
