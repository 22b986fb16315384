import NIOCore
import NIOPosix

/// The beginning of a connection that stunnel has decrypted: reads whose it is, and keeps what comes after until there
/// is somebody to take it.
final class DecryptedSide: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let stunnel: Stunnel
    private var held = ByteBuffer()
    private var isNamed = false
    private var hasBegun = false
    private var hasEnded = false
    private var alarm: Scheduled<Void>?

    private init(_ stunnel: Stunnel) { self.stunnel = stunnel }

    /// Listens for such connections.
    static func listen(at path: String, _ group: any EventLoopGroup, for stunnel: Stunnel) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: TLSLimits.waitingMax)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [weak stunnel] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let stunnel else { throw ChannelError.ioOnClosedChannel }
                    try channel.pipeline.syncOperations.addHandler(DecryptedSide(stunnel))
                }
            }
            .bind(unixDomainSocketPath: path).get()
    }

    func channelActive(context: ChannelHandlerContext) {
        let bound = context.loopBound
        alarm = context.eventLoop.scheduleTask(in: TLSLimits.introductionTime) { bound.value.close(promise: nil) }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasBegun else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        held.writeBuffer(&bytes)
        guard !isNamed else { return }
        switch ProxyLine.read(held.readableBytesView) {
        case .incomplete: break
        case .malformed: context.close(promise: nil)
        case .whole(let line, let count):
            held.moveReaderIndex(forwardBy: count)
            isNamed = true
            alarm?.cancel()
            guard let relay = stunnel.claim(line), relay.take(context.channel) else {
                return context.close(promise: nil)
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasBegun { return context.fireChannelReadComplete() }
        if !isNamed { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !hasBegun, case .some(.inputClosed) = event as? ChannelEvent {
            hasEnded = true
            if !isNamed { context.close(promise: nil) }
            return
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }

    /// From here on the handlers behind this one have the connection, as if it began now.
    static func begin(_ channel: any Channel) {
        let pipeline = channel.pipeline.syncOperations
        // One that has closed has no handlers any more.
        guard let side = try? pipeline.handler(type: Self.self),
            let context = try? pipeline.context(handlerType: Self.self)
        else { return }
        side.begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        hasBegun = true
        context.fireChannelActive()
        if held.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(held))
            context.fireChannelReadComplete()
        }
        held = ByteBuffer()
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }
}
