import Glibc
import NIOCore

/// Pauses a listening socket while the process can accept no more connections; new ones wait in the kernel.
///
/// A socket for which the process has no descriptor stays readable: the loop would return to it at once, for ever.
package final class AcceptPause: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    private var isResting = false
    private static let rest: TimeAmount = .seconds(1)

    package init() {}

    /// - Throws: `ChannelError` when the listener is closing.
    package static func add(to listener: any Channel) async throws {
        try await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
        }.get()
    }

    /// Call it on the socket's loop, after `add`.
    package static func pause(_ listener: any Channel, for time: Duration) {
        guard let handler = try? listener.pipeline.syncOperations.handler(type: AcceptPause.self) else { return }
        handler.rest(listener, for: TimeAmount(time))
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
            rest(context.channel, for: Self.rest)
        }
        context.fireErrorCaught(error)
    }

    private func rest(_ listener: any Channel, for time: TimeAmount) {
        guard !isResting else { return }
        isResting = true
        try? listener.syncOptions?.setOption(.autoRead, value: false)
        listener.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.isResting = false
            try? listener.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
