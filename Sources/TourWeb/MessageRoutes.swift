import Foundation
import Hummingbird
import NIOCore
import TourAPI
import TourJSON
import TourModel
import TourNode
import TourNodeWords
import TourWords

extension LocalAPI {
    func addMessages(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/messages") { request, context in try await list(request, context.tour) }
        api.post("tours/:tour/messages") { request, context in try await send(request, context.tour) }
        api.delete("tours/:tour/messages/:id") { [slot] _, context in
            let withdrawn = try await slot.node.withdraw(context.parameters.get("id") ?? "", in: context.tour)
            return try Answer.json(withdrawn)
        }
        api.get("tours/:tour/messages/:id/receipts") { [slot] _, context in
            try Answer.json(await slot.node.receipts(context.parameters.get("id") ?? "", in: context.tour).answer)
        }
        api.post("tours/:tour/receipts") { [slot] request, context in
            struct Body: Decodable { var messages: [String] }
            let body = try await request.json(Body.self)
            return try Answer.json(["counts": try await slot.node.receiptCounts(body.messages, in: context.tour)])
        }
        api.post("tours/:tour/messages/:id/resend") { [slot] _, context in
            try Answer.json(await slot.node.resend(context.parameters.get("id") ?? "", in: context.tour).answer)
        }
        api.post("tours/:tour/read") { [slot] request, context in
            struct Body: Decodable { var displayed: [String] }
            let body = try await request.json(Body.self)
            return try Answer.json(["unread": try await slot.node.markDisplayed(body.displayed, in: context.tour)])
        }
    }

    /// Stored messages, and with `follow` new ones as they arrive, one line each.
    private func list(_ request: Request, _ tour: String?) async throws -> Response {
        let node = try slot.node
        if let place = try request.messagePlace {
            let count = try request.limit() ?? Self.windowCount
            return try await window(place, count: count, request.eventClasses(), of: node.view(tour))
        }
        var selection = TourView.Selection()
        selection.classes = try request.eventClasses()
        selection.since = request.query("since")
        selection.limit = try request.limit()
        selection.words = (request.query("search") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        if let since = selection.since { _ = try await node.view(tour).event(idPrefix: since) }
        let marksRead = request.query("markRead") == "true"
        guard request.query("follow") == "true" else {
            let view = try await node.view(tour)
            return Answer.stream { [node, selection] writer in
                let displayed = try await Self.write(try view.listing(selection), &writer)
                if marksRead { try await node.markWritten(displayed, in: tour) }
            }
        }
        let takesNotes = request.query("notes") == "true"
        let (follower, view, row) = try await node.follow(tour, takesNotes: takesNotes)
        return Answer.stream { [node, selection] writer in
            do {
                let displayed = try await Self.write(try view.listing(selection, throughRow: row), &writer)
                if marksRead { try await node.markWritten(displayed, in: tour) }
                // Shows readers at once that the stream is open; a reader that has gone is noticed at the next line.
                try await writer.write(ByteBuffer(string: "\n"))
                let words = Words(selection.words)
                while let news = await node.news(for: follower) {
                    let (row, displayed) = try await Self.write(news, words, &writer)
                    await node.advance(follower, through: row)
                    if marksRead { try await node.markWritten(displayed, in: tour) }
                }
            } catch {
                await node.endFollower(follower)
                throw error
            }
            await node.endFollower(follower)
        }
    }

    /// Unless the client gives a number.
    static let windowCount = 100

    /// The messages around one, one line each.
    private func window(
        _ place: MessageWindow.Place, count: Int, _ classes: Set<EventClass>?, of view: TourView
    ) async throws -> Response {
        let lines = try await besideTheLoop {
            Self.lines(of: try view.window(place, count: count, classes: classes).messages)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson"], body: ResponseBody(byteBuffer: lines))
    }

    /// - Returns: the ids of the unread messages among them.
    private static func write(
        _ listing: MessageListing, _ writer: inout any ResponseBodyWriter
    ) async throws -> [String] {
        var listing = listing
        var displayed = [String]()
        while let (lines, unread) = try await besideTheLoop({ try listing.next().map(written) }) {
            if lines.readableBytes > 0 { try await writer.write(lines) }
            displayed += unread
        }
        return displayed
    }

    /// - Returns: the last row that was written, and the ids of the unread messages.
    private static func write(
        _ news: News, _ words: Words, _ writer: inout any ResponseBodyWriter
    ) async throws -> (row: Int64, displayed: [String]) {
        var displayed = [String]()
        var news = news
        var isEmpty = news.notes.isEmpty
        for note in news.notes { try await writer.write(ByteBuffer(bytes: try Answer.line(note: note) + [0x0A])) }
        while true {
            let next = { try news.next().map { written($0.filter(words.areIn)) } }
            guard let (lines, unread) = try await news.isAtHand ? next() : besideTheLoop(next) else { break }
            displayed += unread
            guard lines.readableBytes > 0 else { continue }
            isEmpty = false
            try await writer.write(lines)
        }
        // A blank line is a sign of life.
        if isEmpty { try await writer.write(ByteBuffer(string: "\n")) }
        return (news.row, displayed)
    }

    private static func written(_ messages: [Message]) -> (lines: ByteBuffer, unread: [String]) {
        (lines(of: messages), messages.filter(\.unread).map(\.id))
    }

    private static func lines(of messages: [Message]) -> ByteBuffer {
        var lines = [UInt8]()
        lines.reserveCapacity(messages.count * 768)
        for message in messages {
            message.appendJSON(to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        return ByteBuffer(bytes: lines)
    }

    /// Sends one message, or a stream of them, each answered once it is on the disk.
    private func send(_ request: Request, _ tour: String?) async throws -> Response {
        guard request.headers[.contentType]?.hasPrefix("application/x-ndjson") == true else {
            let draft = try await Draft(request: JSON(parsing: request.bytes()))
            guard let sent = try await slot.node.send([draft], to: tour).first else {
                throw WebError("internal", Phrase("The node failed at this request."))
            }
            var answer = [UInt8]()
            try sent.get().appendJSON(to: &answer)
            return Answer.json(bytes: answer)
        }
        _ = try await slot.node.view(tour)
        return Answer.stream { [slot] writer in
            var lines = LineSplitter(bytesMax: Self.requestBytesMax)
            for try await chunk in request.body {
                try await Self.send(lines.add(chunk.readableBytesView), to: tour, slot, &writer)
            }
            try await Self.send([lines.end()].compactMap(\.self), to: tour, slot, &writer)
        }
    }

    private static func draft(of line: LineSplitter.Line) throws -> Draft {
        switch line {
        case .tooLong:
            throw WebError("bad-request", Phrase("A line of a request is at most \(requestBytesMax) bytes long."))
        case .line(let bytes): try Draft(request: JSON(parsing: bytes))
        }
    }

    /// Lines that arrive together go into one commit, and are answered together, in order. A stream may outlast the
    /// node with which it began.
    private static func send(
        _ lines: [LineSplitter.Line], to tour: String?, _ slot: NodeSlot, _ writer: inout any ResponseBodyWriter
    ) async throws {
        let lines = lines.filter { $0 != .line([]) }
        guard !lines.isEmpty else { return }
        let drafts = lines.map { line in Result { try draft(of: line) } }
        var sent: [Result<SentMessage, any Error>]
        do {
            sent = try await slot.node.send(drafts.compactMap { try? $0.get() }, to: tour).map { $0.mapError { $0 } }
        } catch {
            sent = drafts.filter { (try? $0.get()) != nil }.map { _ in .failure(error) }
        }
        var next = sent.makeIterator()
        var answers = [UInt8]()
        for draft in drafts {
            do {
                _ = try draft.get()
                guard let answer = next.next() else { break }
                try answer.get().appendJSON(to: &answers)
            } catch {
                answers += Answer.line(error)
            }
            answers.append(UInt8(ascii: "\n"))
        }
        try await writer.write(ByteBuffer(bytes: answers))
    }
}

extension Request {
    /// - Throws: `bad-limit`.
    func limit() throws(WebError) -> Int? {
        guard let limit = query("limit") else { return nil }
        guard let limit = Int(limit), limit > 0 else {
            throw WebError("bad-limit", Phrase("A limit is a whole number from 1."))
        }
        return limit
    }

    /// - Returns: nil for messages of all types.
    /// - Throws: `bad-request` together with `follow`, which always covers all types.
    fileprivate func eventClasses() throws(WebError) -> Set<EventClass>? {
        guard let type = query("type") else { return nil }
        guard type == "announcement", query("follow") != "true" else {
            throw WebError("bad-request", Phrase("Only announcements can be asked for alone, and not with follow."))
        }
        return [.announcement]
    }

    /// - Returns: nil for a listing without a window.
    /// - Throws: `bad-request` for two windows.
    fileprivate var messagePlace: MessageWindow.Place? {
        get throws(WebError) {
            let places = [
                query("before").map { MessageWindow.Place.before($0) }, query("after").map { .after($0) },
                query("around").map { $0 == "unread" ? .unread : .around($0) },
            ].compactMap(\.self)
            guard let place = places.first else { return nil }
            let isListing = ["since", "search", "follow", "notes", "markRead"].contains { query($0) != nil }
            guard places.count == 1, !isListing else {
                throw WebError(
                    "bad-request", Phrase("Ask for messages before, after or around one, or for a listing."))
            }
            return place
        }
    }
}
