import Glibc

/// A connection to the node's socket, for one request and its answer.
final class NodeConnection: Sendable {
    private static let readBytes = 64 * 1024

    private let descriptor: Int32
    private let loop = CommandLoop.main

    init(_ connection: NodeSocket.Connection) { descriptor = connection.descriptor }

    deinit { close(descriptor) }

    /// Whether the node keeps the connection open. Before the request it sends nothing, so anything readable is the
    /// end.
    var isOpen: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) == 0
    }

    /// - Throws: `CommandFailure.nodeGone`, `CancellationError`.
    func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try await loop.wait(for: POLLOUT, on: descriptor)
            } else if errno != EINTR {
                throw CommandFailure.nodeGone
            }
        }
    }

    /// The available bytes, waiting for the first one; empty when the node has closed the connection.
    /// - Throws: `CommandFailure.nodeGone`, `CancellationError`.
    func read() async throws -> [UInt8] {
        while true {
            try await loop.wait(for: POLLIN, on: descriptor)
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.readBytes) { buffer, count in
                let result = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                code = result < 0 ? errno : 0
                count = max(result, 0)
            }
            if code == 0 { return bytes }
            guard code == EINTR || code == EAGAIN else { throw CommandFailure.nodeGone }
        }
    }
}
