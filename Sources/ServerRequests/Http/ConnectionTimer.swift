import HTTPTypes
import NIOCore
import NIOHTTPTypes
import ServerBase

/// Closes a connection whose client holds it without progress: the client sends a head too slowly or none at all, or
/// does not read the answer. `HTTP1Channel` itself closes silent connections.
package final class ConnectionTimer: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let headTimeout: TimeAmount
    private let idleTimeout: TimeAmount
    private var requestsUnderWay = 0
    private var headEnd: Scheduled<Void>?
    private var writesUnderWay = 0
    private var writeEnd: Scheduled<Void>?

    /// - Parameter headTimeout: from the connection's beginning to the end of its first head.
    /// - Parameter idleTimeout: from the end of an answer to the end of the next head; also the time without any
    ///   progress of a write.
    package init(headTimeout: Duration, idleTimeout: Duration) {
        self.headTimeout = TimeAmount(headTimeout)
        self.idleTimeout = TimeAmount(idleTimeout)
    }

    /// Begins to wait for the first head.
    package func handlerAdded(context: ChannelHandlerContext) { awaitHead(context, headTimeout) }

    /// Waits for nothing any more.
    package func handlerRemoved(context: ChannelHandlerContext) {
        headEnd?.cancel()
        writeEnd?.cancel()
    }

    /// Ends the wait for a head, and lets a client send its body that waits for permission.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            // The client may wait for permission to send the body: grant it, unless an answer is on its way.
            // Source: RFC 9110, section 10.1.1.
            if requestsUnderWay == 0, head.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
            requestsUnderWay += 1
            headEnd?.cancel()
            headEnd = nil
        }
        context.fireChannelRead(data)
    }

    /// Waits for the client to take what is written, and behind an answer for the next head.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        let promise = promise ?? context.eventLoop.makePromise()
        writesUnderWay += 1
        var bytes = 0
        if case .body(let buffer) = part { bytes = buffer.readableBytes }
        awaitReader(context, bytes: bytes)
        let (handler, bound) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        promise.futureResult.whenComplete { _ in handler.value.isWritten(part, bound.value) }
        context.write(data, promise: promise)
    }

    private func isWritten(_ part: HTTPResponsePart, _ context: ChannelHandlerContext) {
        writesUnderWay -= 1
        if writesUnderWay == 0 { writeEnd?.cancel() } else { awaitReader(context, bytes: 0) }
        guard case .end = part else { return }
        requestsUnderWay -= 1
        if requestsUnderWay == 0, context.channel.isActive { awaitHead(context, idleTimeout) }
    }

    private func awaitHead(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        headEnd?.cancel()
        headEnd = end(context, after: time)
    }

    /// Every completed write restarts the timer; a large write gets more time.
    private func awaitReader(_ context: ChannelHandlerContext, bytes: Int) {
        writeEnd?.cancel()
        let more = TimeAmount.seconds(Int64(bytes / ServerLimits.readingRateMin))
        writeEnd = end(context, after: idleTimeout + more)
    }

    private func end(_ context: ChannelHandlerContext, after time: TimeAmount) -> Scheduled<Void> {
        let bound = context.loopBound
        return context.eventLoop.scheduleTask(in: time) { bound.value.close(promise: nil) }
    }
}
