import NIOCore

/// Passes a channel's events to its connection.
final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: LinkConnection

    init(_ connection: LinkConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { connection.receive(unwrapInboundIn(data)) }

    func channelWritabilityChanged(context: ChannelHandlerContext) { connection.writabilityChanged() }

    func channelInactive(context: ChannelHandlerContext) { connection.channelClosed() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
