import Hummingbird
import NIOCore
import ServiceLifecycle

/// Writes server-sent events. Source: WHATWG HTML, "Server-sent events".
package struct EventWriter {
    private var writer: any ResponseBodyWriter

    private enum Tick {
        case woken, silence, end
    }

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    /// Writes a line that clients skip: it shows that the connection is alive.
    package mutating func write(comment: String) async throws { try await write(": \(comment)\n\n") }

    /// Writes what `next` returns at each wake, and a comment once in every `silence`, events or not.
    /// - Parameter lifetime: when the stream ends; the client then reconnects.
    /// - Parameter mayStay: asked once in every `silence`; false ends the stream.
    /// - Parameter next: the events to write, empty for none; nil ends the stream.
    package mutating func follow(
        _ wakes: AsyncStream<Void>, silence: Duration, lifetime: Duration, mayStay: () async throws -> Bool,
        next: () async throws -> ByteBuffer?
    ) async throws {
        let (ticks, source) = AsyncStream<Tick>.makeStream(bufferingPolicy: .bufferingNewest(2))
        let tasks = [
            Task {
                for await _ in wakes { source.yield(.woken) }
                source.yield(.end)
            },
            Task {
                let end = ContinuousClock.now + lifetime
                while ContinuousClock.now < end, !Task.isCancelled {
                    try? await Task.sleep(for: silence)
                    source.yield(.silence)
                }
                source.yield(.end)
            },
        ]
        defer { for task in tasks { task.cancel() } }
        try await withGracefulShutdownHandler {
            for await tick in ticks {
                switch tick {
                case .end: return
                case .silence:
                    guard try await mayStay() else { return }
                    try await write(comment: "here")
                case .woken:
                    guard let event = try await next() else { return }
                    if event.readableBytes > 0 { try await writer.write(event) }
                }
            }
        } onGracefulShutdown: {
            source.yield(.end)
        }
    }

    mutating func finish() async throws { try await writer.finish(nil) }

    private mutating func write(_ text: String) async throws { try await writer.write(ByteBuffer(string: text)) }
}
