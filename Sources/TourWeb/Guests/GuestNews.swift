import Hummingbird
import NIOCore
import TourCrypto
import TourModel
import TourNode
import TourPresentation
import TourWords

/// The news of one phone: a stream of sealed frames, until the phone goes, asks for another, or its seat goes.
struct GuestNews: Sendable {
    /// What wakes the writer.
    private enum Signal: Sendable {
        case tick
        case news(SeatNews)
        /// Nil: the node ends.
        case ended((any Error)?)
    }

    let door: GuestDoor
    let sealed: SealedRequest
    let channel: SeatChannel
    let connection: any Channel

    /// The phone has gone, or was cut.
    private struct Gone: Error {}

    private static let lookPause: Duration = .seconds(1)
    /// What a look costs at most, so that many phones leave the loop free.
    private static let lookTime: Duration = .milliseconds(20)

    func write(_ writer: inout any ResponseBodyWriter) async throws {
        var frames = GuestFrames(channel: channel, number: sealed.number)
        let begun: (stream: UInt64, ticket: SeatTicket)
        do {
            begun = try door.beginNews(sealed)
            defer { door.endNews(begun.stream, of: sealed.session) }
            let node = try door.node
            let (follower, picture) = try await open(begun.ticket, &frames, &writer)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                let (signals, turn) = Self.signals(of: follower, begun.ticket, door, in: &tasks)
                let result: Result<Void, any Error>
                do {
                    result = .success(try await write(signals, turn, begun, (follower, picture), &frames, &writer))
                } catch {
                    result = .failure(error)
                }
                // Who waits for news of this follower waits no more.
                await node.seats.endFollower(follower)
                tasks.cancelAll()
                try result.get()
            }
        } catch let error where !(error is CancellationError || error is Gone) {
            try await send(frames.end(error), &writer)
        }
    }

    /// Begins to follow, and shows the phone what there is. All of this is one request of the seat.
    private func open(
        _ ticket: SeatTicket, _ frames: inout GuestFrames, _ writer: inout any ResponseBodyWriter
    ) async throws -> (FollowerID, GuestPicture) {
        defer { door.newsAreOpen(sealed.session) }
        let node = try door.node
        let (follower, mark) = try await node.seats.follow(ticket)
        frames.mark = max(frames.mark, mark)
        var picture = GuestPicture()
        do {
            if try await !look(&picture, &frames, ticket, &writer) { try await send(frames.sign(), &writer) }
        } catch {
            await node.seats.endFollower(follower)
            throw error
        }
        return (follower, picture)
    }

    /// Lets two tasks look for what there is to write: at the news, and at the time.
    /// - Returns: what they see, and by what the next news is asked for.
    private static func signals(
        of follower: FollowerID, _ ticket: SeatTicket, _ door: GuestDoor,
        in tasks: inout ThrowingTaskGroup<Void, any Error>
    ) -> (AsyncStream<Signal>, AsyncStream<Void>.Continuation) {
        let (signals, signal) = AsyncStream.makeStream(of: Signal.self)
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        tasks.addTask { await collect(follower, of: ticket, door, turns, signal) }
        tasks.addTask {
            while true {
                try await Task.sleep(for: max(lookPause, lookTime * door.openStreams))
                signal.yield(.tick)
            }
        }
        return (signals, turn)
    }

    private func write(
        _ signals: AsyncStream<Signal>, _ turn: AsyncStream<Void>.Continuation,
        _ begun: (stream: UInt64, ticket: SeatTicket), _ shown: (FollowerID, GuestPicture),
        _ frames: inout GuestFrames, _ writer: inout any ResponseBodyWriter
    ) async throws {
        let follower = shown.0
        var picture = shown.1
        var wroteAt = ContinuousClock.now
        for await next in signals {
            guard door.goesOn(begun.stream, of: sealed.session) else { return }
            switch next {
            case .tick:
                if try await look(&picture, &frames, begun.ticket, &writer) { wroteAt = .now }
                guard ContinuousClock.now - wroteAt >= GuestLimits.signPause else { continue }
                try await send(frames.sign(), &writer)
            case .news(let news):
                let row = try await write(news, &frames, &writer)
                await (try? door.node)?.seats.advance(follower, through: row)
                turn.yield()
            case .ended(let error):
                if let error { throw error }
                return
            }
            wroteAt = .now
        }
    }

    /// Waits for news, a piece at a time: a phone that is slow gets the next piece when it has this one.
    private static func collect(
        _ follower: FollowerID, of ticket: SeatTicket, _ door: GuestDoor, _ turns: AsyncStream<Void>,
        _ signal: AsyncStream<Signal>.Continuation
    ) async {
        var turns = turns.makeAsyncIterator()
        do {
            while let news = try await door.node.seats.news(follower, for: ticket) {
                signal.yield(.news(news))
                guard await turns.next() != nil else { return }
            }
            signal.yield(.ended(nil))
        } catch {
            signal.yield(.ended(error))
        }
    }

    /// - Returns: the last row that was written.
    private func write(
        _ news: SeatNews, _ frames: inout GuestFrames, _ writer: inout any ResponseBodyWriter
    ) async throws -> Int64 {
        var messages = news.messages
        var waiting: [UInt8]?
        while true {
            let next = { try messages.next().map { $0.isEmpty ? [] : GuestActs.json($0) } }
            guard let text = try await messages.isAtHand ? next() : besideTheLoop(next) else { break }
            if let waiting { try await send(frames.frame(waiting), &writer) }
            waiting = text.isEmpty ? nil : text
        }
        // Only with the last of them has the phone everything up to the mark.
        frames.mark = max(frames.mark, news.mark)
        try await send(waiting.map { frames.frame($0) } ?? frames.sign(), &writer)
        return messages.row
    }

    /// - Returns: whether anything was written.
    @discardableResult
    private func look(
        _ picture: inout GuestPicture, _ frames: inout GuestFrames, _ ticket: SeatTicket,
        _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        let node = try door.node
        let held = await node.seats.held(ticket)
        let view = try await node.seats.picture(for: ticket)
        let known = picture
        let (seen, texts) = try await besideTheLoop { try known.differences(view, held: held) }
        picture = seen
        for text in texts { try await send(frames.frame(text), &writer) }
        return !texts.isEmpty
    }

    private func send(_ frame: ByteBuffer, _ writer: inout any ResponseBodyWriter) async throws {
        let wait = door.watch.begin(connection)
        defer { door.watch.end(wait) }
        do { try await writer.write(frame) } catch { throw Gone() }
    }
}
