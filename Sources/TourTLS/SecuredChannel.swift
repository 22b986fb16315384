import HummingbirdCore
import Logging
import NIOCore

/// A connection by TLS, which stunnel decrypts; `base` is set up on what is decrypted, whose `ofClient` is the client's
/// connection.
package struct SecuredChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let stunnel: Stunnel
    let handshakeTime: TimeAmount

    /// - Parameter handshakeTime: from the beginning of a connection until its handshake is through.
    package init(_ base: Base, by stunnel: Stunnel, handshakeTime: TimeAmount = TLSLimits.handshakeTime) {
        self.base = base
        self.stunnel = stunnel
        self.handshakeTime = handshakeTime
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Relay> {
        channel.eventLoop.makeCompletedFuture { try Relay(of: channel, by: stunnel, handshakeTime) }
    }

    package func handle(value relay: Relay, logger: Logger) async {
        guard let channel = await relay.decrypted() else { return }
        if let value = try? await begun(channel, logger) { await base.handle(value: value, logger: logger) }
        channel.close(promise: nil)
        try? await relay.client.closeFuture.get()
    }

    /// What was set up must be handled, also where the connection has ended meanwhile.
    private func begun(_ channel: any Channel, _ logger: Logger) async throws -> Base.Value {
        try await channel.eventLoop.flatSubmit { [base] in
            base.setup(channel: channel, logger: logger).map { value in
                DecryptedSide.begin(channel)
                return value
            }
        }.get()
    }
}
