import NIOCore
import NIOPosix

/// One end of a relay: what comes in at one end goes out at the other, no faster than the other takes it; so does its
/// end.
final class RelayEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Role {
        case client(Relay)
        case stunnel
    }

    private let role: Role
    private var context: ChannelHandlerContext?
    private var other: RelayEnd?
    /// What the client sent before stunnel was reached.
    private var first: ByteBuffer?
    private var hasEnded = false
    private var wantsRead = false
    /// The bytes that went out here.
    private var sent = 0

    init(_ role: Role) { self.role = role }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        other = nil
    }

    // MARK: - In

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if let other { return other.send(bytes) }
        guard case .client(let relay) = role else { return }
        if first?.writeBuffer(&bytes) == nil {
            first = bytes
            reach(relay.stunnel, for: relay, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.context?.flush() }

    func read(context: ChannelHandlerContext) {
        // A client that says nothing costs stunnel nothing, and one that says a lot waits for it.
        let mayRead = other.map { $0.context?.channel.isWritable ?? true } ?? (isOfClient && first == nil)
        wantsRead = !mayRead
        if mayRead { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { other?.readAgain() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as ChannelEvent where event == .inputClosed:
            hasEnded = true
            if let other { return other.end(wholly: !isOfClient) }
            if first == nil { context.close(promise: nil) }
        case let event as ChannelShouldQuiesceEvent:
            if case .client(let relay) = role { relay.quiesce(event) }
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isOfClient { other?.context?.close(promise: nil) } else { other?.end(wholly: true) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private var isOfClient: Bool { if case .client = role { true } else { false } }

    // MARK: - Out

    private func send(_ bytes: ByteBuffer) {
        sent += bytes.readableBytes
        context?.write(wrapOutboundOut(bytes), promise: nil)
    }

    private func readAgain() {
        guard wantsRead, let context else { return }
        read(context: context)
    }

    /// Ends what goes out here behind what is on its way, or the whole connection.
    private func end(wholly: Bool) {
        guard let context else { return }
        let bound = context.loopBound
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.close(mode: wholly ? .all : .output, promise: nil)
        }
    }

    /// Closes this end, the client's, once nothing moves any more.
    func linger() { linger(0, before: nil) }

    private func linger(_ times: Int, before: [Int]?) {
        guard let context else { return }
        let buffered = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let now = [sent, buffered]
        guard now != before, times < TLSLimits.lingersMax else { return context.close(promise: nil) }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TLSLimits.lingerTime) { handler.value.linger(times + 1, before: now) }
    }

    // MARK: - To stunnel

    private func reach(_ stunnel: Stunnel, for relay: Relay, _ context: ChannelHandlerContext) {
        let far = RelayEnd(.stunnel)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let end = NIOLoopBound(far, eventLoop: context.eventLoop)
        let client = context.channel
        ClientBootstrap(group: context.eventLoop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.socketOption(.so_rcvbuf), value: TLSLimits.bufferBytes)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(end.value) }
            }
            .connect(host: LoopbackListener.host, port: Int(stunnel.port))
            .whenComplete { result in
                guard case .success(let channel) = result, let port = channel.localAddress?.port, client.isActive else {
                    if case .success(let channel) = result { channel.close(promise: nil) }
                    return client.close(promise: nil)
                }
                stunnel.expect(relay, from: UInt16(port))
                channel.closeFuture.whenComplete { _ in stunnel.forget(UInt16(port), of: relay) }
                handler.value.join(end.value)
            }
    }

    private func join(_ far: RelayEnd) {
        (other, far.other) = (far, self)
        if let first { far.send(first) }
        first = nil
        far.context?.flush()
        if hasEnded { far.end(wholly: false) }
        readAgain()
        far.readAgain()
    }
}
