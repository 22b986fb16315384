import NIOCore

/// Counts the bytes of a connection: those of HTTP, since it stands behind TLS.
final class TrafficCounter: ChannelDuplexHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let metrics: ServerMetrics

    init(metrics: ServerMetrics) { self.metrics = metrics }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        metrics.countReceived(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        metrics.countSent(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
