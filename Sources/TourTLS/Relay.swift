import HummingbirdCore
import NIOCore
import Synchronization

/// The connection of a client by TLS: its bytes go to stunnel as they come, and come back decrypted on a second
/// connection, over which HTTP is spoken. Ends with either of the two.
package final class Relay: ServerChildChannelValue {
    private struct State {
        var decrypted: (any Channel)?
        var waiter: CheckedContinuation<(any Channel)?, Never>?
        var isOver = false
    }

    let client: any Channel
    package var channel: any Channel { client }
    let stunnel: Stunnel
    private let state = Mutex(State())

    /// - Parameter client: a connection that has just been accepted.
    init(of client: any Channel, by stunnel: Stunnel, _ handshakeTime: TimeAmount) throws {
        self.client = client
        self.stunnel = stunnel
        try client.pipeline.syncOperations.addHandler(RelayEnd(.client(self)))
        client.eventLoop.scheduleTask(in: handshakeTime) { [weak self] in
            guard let self, state.withLock({ $0.decrypted == nil }) else { return }
            self.client.close(promise: nil)
        }
        client.closeFuture.whenComplete { _ in self.isOver() }
    }

    /// Suspends until the client has shown that it speaks TLS.
    /// - Returns: the decrypted connection, whose `ofClient` is the client's; nil: the client has gone.
    func decrypted() async -> (any Channel)? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isKnown = state.withLock { state in
                    if state.decrypted == nil, !state.isOver { state.waiter = continuation }
                    return state.waiter == nil
                }
                if isKnown { continuation.resume(returning: state.withLock { $0.decrypted }) }
            }
        } onCancel: {
            client.close(promise: nil)
        }
    }

    /// - Returns: false where it has one, or is over.
    func take(_ channel: any Channel) -> Bool {
        let (isTaken, waiter) = state.withLock { state -> (Bool, CheckedContinuation<(any Channel)?, Never>?) in
            guard state.decrypted == nil, !state.isOver else { return (false, nil) }
            state.decrypted = channel
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        guard isTaken else { return false }
        ClientConnections.add(client, of: channel)
        channel.closeFuture.whenComplete { _ in
            ClientConnections.remove(channel)
            self.linger()
        }
        waiter?.resume(returning: channel)
        return true
    }

    private func isOver() {
        let (channel, waiter) = state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return (state.decrypted, state.waiter)
        }
        waiter?.resume(returning: nil)
        channel?.close(promise: nil)
    }

    /// The server is ending: what is under way may end.
    func quiesce(_ event: ChannelShouldQuiesceEvent) {
        guard let channel = state.withLock({ $0.decrypted }) else { return client.close(promise: nil) }
        channel.pipeline.fireUserInboundEventTriggered(event)
    }

    /// What is left is still sent to the client, as long as it takes some of it.
    private func linger() {
        client.eventLoop.execute { [client] in
            guard client.isActive, let end = try? client.pipeline.syncOperations.handler(type: RelayEnd.self) else {
                return client.close(promise: nil)
            }
            end.linger()
        }
    }
}

/// Which connections of clients are behind the decrypted ones.
private enum ClientConnections {
    private static let clients = Mutex<[ObjectIdentifier: any Channel]>([:])

    static func add(_ client: any Channel, of channel: any Channel) {
        clients.withLock { $0[ObjectIdentifier(channel)] = client }
    }

    static func remove(_ channel: any Channel) { clients.withLock { $0[ObjectIdentifier(channel)] = nil } }

    static func client(of channel: any Channel) -> (any Channel)? {
        clients.withLock { $0[ObjectIdentifier(channel)] }
    }
}

extension Channel {
    /// The connection of the client: of one that was decrypted the one that came in by TLS, and else this one. Its
    /// addresses are those of client and server, and closing it ends both at once.
    package var ofClient: any Channel { ClientConnections.client(of: self) ?? self }
}
