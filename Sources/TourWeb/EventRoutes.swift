import Hummingbird
import NIOCore
import TourAPI
import TourModel
import TourNode
import TourNodeWords

// The page's view of a tour as it changes: one stream of server-sent events.
// Source: HTML Standard, section 9.2, "Server-sent events".
extension LocalAPI {
    func addEvents(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/events") { request, context in try await events(request, context.tour) }
    }

    private func events(_ request: Request, _ tour: String?) async throws -> Response {
        let count = try request.limit() ?? Self.windowCount
        let node = try slot.node
        let (follower, view, row) = try await node.follow(tour, takesNotes: true, quietMax: TourWatch.pause)
        return Answer.stream(mediaType: "text/event-stream") { [node] writer in
            do {
                let start = try await besideTheLoop {
                    try EventFrame.start(view.window(.last, count: count, throughRow: row))
                }
                try await writer.write(start)
                var watch = TourWatch(node: node, tour: view.tour.hex)
                try await watch.look(&writer)
                while let news = await node.news(for: follower) {
                    await node.advance(follower, through: try await Self.write(news, &watch, &writer))
                    try await watch.look(&writer)
                }
            } catch {
                await node.endFollower(follower)
                throw error
            }
            await node.endFollower(follower)
        }
    }

    /// - Returns: the last row that was written.
    private static func write(
        _ news: News, _ watch: inout TourWatch, _ writer: inout any ResponseBodyWriter
    ) async throws -> Int64 {
        var news = news
        for note in news.notes {
            try await watch.write(EventFrame("note", try Answer.encoded(note.answer)).bytes, &writer)
        }
        while true {
            let next = { try news.next().map { EventFrame.change($0) } }
            guard let frame = try await news.isAtHand ? next() : besideTheLoop(next) else { break }
            if let frame { try await watch.write(frame, &writer) }
        }
        return news.row
    }
}

/// One event of a stream.
struct EventFrame {
    private(set) var bytes: ByteBuffer

    /// - Parameter data: JSON on one line.
    init(_ name: StaticString, _ data: some Collection<UInt8>) {
        bytes = ByteBuffer()
        bytes.reserveCapacity(data.count + 32)
        bytes.writeString("event: \(name)\ndata: ")
        bytes.writeBytes(data)
        bytes.writeString("\n\n")
    }

    /// The messages with which a reader begins.
    static func start(_ window: MessageWindow) -> ByteBuffer {
        messages("{\"start\":true,\"more\":\(window.more),\"messages\":[", window.messages)
    }

    /// New and changed messages; nil for none.
    static func change(_ messages: [Message]) -> ByteBuffer? {
        messages.isEmpty ? nil : Self.messages("{\"start\":false,\"messages\":[", messages)
    }

    private static func messages(_ head: String, _ messages: [Message]) -> ByteBuffer {
        var data = Array(head.utf8)
        data.reserveCapacity(messages.count * 768 + 64)
        for (index, message) in messages.enumerated() {
            if index > 0 { data.append(UInt8(ascii: ",")) }
            message.appendJSON(to: &data)
        }
        data += "]}".utf8
        return EventFrame("messages", data).bytes
    }

    /// An empty comment line: a sign of life.
    static let sign = ByteBuffer(string: ":\n\n")
}
