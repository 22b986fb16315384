import Foundation
import Hummingbird
import NIOCore
import TourNode

extension LocalAPI {
    func addMessages(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/messages") { request, context in try await list(request, context.tour) }
        api.post("tours/:tour/messages") { request, context in try await send(request, context.tour) }
        api.delete("tours/:tour/messages/:id") { [node] _, context in
            struct Withdrawn: Encodable {
                var id: String
                var status = "withdrawn"
            }
            let id = try await node.withdraw(context.parameters.get("id") ?? "", in: context.tour)
            return try Answer.json(Withdrawn(id: id))
        }
        api.post("tours/:tour/read") { [node] request, context in
            struct Body: Decodable { var through: String? }
            let body = try await request.json(Body.self)
            return try Answer.json(["unread": try await node.markRead(context.tour, through: body.through)])
        }
    }

    /// What is stored, and with `follow` what comes, a line each.
    private func list(_ request: Request, _ tour: String?) async throws -> Response {
        var selection = TourView.Selection()
        selection.since = request.query("since")
        if let limit = request.query("limit") {
            guard let limit = Int(limit), limit >= 0 else { throw NodeError("bad-limit", "A limit is a whole number.") }
            selection.limit = limit
        }
        let words = (request.query("search") ?? "").replacingOccurrences(of: "+", with: " ")
        selection.words = (words.removingPercentEncoding ?? words).split(separator: " ").map(String.init)
        if let since = selection.since { _ = try await node.view(tour).event(idPrefix: since) }
        let marksRead = request.query("markRead") == "true"
        guard request.query("follow") == "true" else {
            let view = try await node.view(tour)
            return Answer.stream { [node, selection] writer in
                try await Self.write(stored: view, selection, &writer)
                if marksRead { _ = try await node.markRead(tour, through: nil) }
            }
        }
        let (follower, view) = try await node.follow(tour)
        return Answer.stream { [node, selection] writer in
            do {
                try await Self.write(stored: view, selection, &writer)
                if marksRead { _ = try await node.markRead(tour, through: nil) }
                // Readers see at once that the stream stands, and a gone reader is noticed at the next line.
                try await writer.write(ByteBuffer(string: "\n"))
                while let news = await node.news(for: follower) {
                    try await Self.write(news, selection, follower, node, &writer)
                    if marksRead { _ = try await node.markRead(tour, through: nil) }
                }
            } catch {
                await node.endFollower(follower)
                throw error
            }
            await node.endFollower(follower)
        }
    }

    private static func write(
        stored view: TourView, _ selection: TourView.Selection, _ writer: inout any ResponseBodyWriter
    ) async throws {
        let encoder = Answer.encoder()
        var lines = [ByteBuffer]()
        var buffer = ByteBuffer()
        try view.read(selection) { message in
            buffer.writeBytes(try encoder.encode(message))
            buffer.writeInteger(UInt8(ascii: "\n"))
            if buffer.readableBytes > linesBytesTarget {
                lines.append(buffer)
                buffer = ByteBuffer()
            }
        }
        lines.append(buffer)
        for line in lines where line.readableBytes > 0 { try await writer.write(line) }
    }

    private static func write(
        _ news: News, _ selection: TourView.Selection, _ follower: FollowerID, _ node: TourNode,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        let encoder = Answer.encoder()
        var buffer = ByteBuffer()
        let words = selection.words.map { $0.lowercased() }
        let (row, more) = try news.read { message in
            let text = message.content.lowercased()
            guard words.allSatisfy({ text.contains($0) }) else { return }
            buffer.writeBytes(try encoder.encode(message))
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        if buffer.readableBytes > 0 { try await writer.write(buffer) }
        await node.told(follower, through: row, more: more)
    }

    /// Lines are written together up to about this many bytes.
    private static let linesBytesTarget = 64 * 1024

    struct DraftBody: Decodable {
        var content: String
        var type: String?
        var replyTo: String?
        var urgent: Bool?
        var expiresSeconds: Int64?

        var draft: TourNode.Draft {
            TourNode.Draft(
                text: content, isAnnouncement: type == "announcement", replyTo: replyTo, urgent: urgent ?? false,
                expiresSeconds: expiresSeconds)
        }
    }

    /// One message, or a stream of them, each answered once it is on the disk.
    private func send(_ request: Request, _ tour: String?) async throws -> Response {
        guard request.headers[.contentType]?.hasPrefix("application/x-ndjson") == true else {
            let body = try await request.json(DraftBody.self)
            guard let sent = try await node.send([body.draft], to: tour).first else { throw NodeError("internal", "") }
            return try Answer.json(try sent.get(), status: .created)
        }
        _ = try await node.view(tour)
        return Answer.stream { [node] writer in
            var lines = LineCutter()
            for try await chunk in request.body {
                try await Self.send(lines.cut(chunk), to: tour, node, &writer)
            }
            try await Self.send(lines.rest(), to: tour, node, &writer)
        }
    }

    /// All lines that came together go into one commit, and are answered together, in order.
    private static func send(
        _ lines: [Data], to tour: String?, _ node: TourNode, _ writer: inout any ResponseBodyWriter
    ) async throws {
        guard !lines.isEmpty else { return }
        let decoder = JSONDecoder()
        let encoder = Answer.encoder()
        let drafts = lines.map { line in Result { try decoder.decode(DraftBody.self, from: line).draft } }
        var sent: [Result<TourNode.SentMessage, any Error>]
        do {
            sent = try await node.send(drafts.compactMap { try? $0.get() }, to: tour).map { $0.mapError { $0 } }
        } catch {
            sent = drafts.filter { (try? $0.get()) != nil }.map { _ in .failure(error) }
        }
        var next = sent.makeIterator()
        var buffer = ByteBuffer()
        for draft in drafts {
            do {
                _ = try draft.get()
                guard let answer = next.next() else { break }
                buffer.writeBytes(try encoder.encode(try answer.get()))
            } catch {
                buffer.writeBytes(Answer.line(error))
            }
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        try await writer.write(buffer)
    }
}
