import TourAPI
import TourGroup
import TourModel
import TourStore

// What a guest's phone reads, and what it has and has shown. Source: `Protocol/15-seats.md`, "Rows".
extension NodeSeats {
    /// Reading needs a running node.
    private func live() throws(NodeError) -> LiveSeatsHost {
        guard let live = try theHost() as? LiveSeatsHost else { throw .seat(.off) }
        return live
    }

    /// Messages around a place, with `mine` of the guest's own, in the tour's order.
    package func messages(
        _ place: MessageWindow.Place, count: Int, for ticket: SeatTicket
    ) async throws -> [Message] {
        guard isValid(ticket), let view = try live().view(as: ticket.member, in: ticket.tour) else {
            throw refusal(of: ticket.member, in: ticket.tour)
        }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try view.window(place, count: count).messages
        }
    }

    /// The last messages that contain all these words, in the tour's order. Reads and opens all that there are.
    /// - Parameters:
    ///   - words: regardless of case and accents.
    ///   - count: at most so many.
    package func search(_ words: [String], count: Int, for ticket: SeatTicket) async throws -> [Message] {
        guard isValid(ticket), let view = try live().view(as: ticket.member, in: ticket.tour) else {
            throw refusal(of: ticket.member, in: ticket.tour)
        }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var listing = try view.listing(TourView.Selection(limit: count, words: words))
            return try listing.next() ?? []
        }
    }

    /// Who has a message of the guest's own.
    package func receipts(_ id: String, for ticket: SeatTicket) async throws -> MessageReceipts {
        let host = try live()
        guard isValid(ticket), let view = host.view(as: ticket.member, in: ticket.tour) else {
            throw refusal(of: ticket.member, in: ticket.tour)
        }
        guard try view.event(idPrefix: id).event.header.author == ticket.member else {
            throw NodeError.message(.notOurs)
        }
        return try await host.receipts(id, in: ticket.tour)
    }

    /// Everything beside the messages.
    package func picture(for ticket: SeatTicket) throws -> SeatPicture {
        let host = try live()
        guard isValid(ticket), let facts = host.facts(of: ticket.tour) else {
            throw refusal(of: ticket.member, in: ticket.tour)
        }
        var picture = try host.picture(for: ticket.member, in: ticket.tour)
        (picture.hosts, picture.formerHosts) = (facts.otherHosts, facts.formerHosts)
        picture.programme = programme
        picture.ended = readableUntil(host).map { SeatPicture.Ended(until: Timestamp.text(milliseconds: $0)) }
        return picture
    }

    /// Begins to collect news for a phone; ended by `endFollower`. The phone then loads the messages that it lacks.
    /// - Returns: the reader, and the mark that the phone acknowledges when it has all messages that there are now.
    package func follow(_ ticket: SeatTicket) throws -> (follower: FollowerID, mark: UInt64) {
        let host = try live()
        guard isValid(ticket) else { throw refusal(of: ticket.member, in: ticket.tour) }
        let frontier = host.frontier(of: ticket.tour)
        let follower = try host.follow(ticket.tour, as: ticket.member)
        beginReading(follower, for: ticket.member)
        return (follower, try sent(frontier, to: ticket))
    }

    /// Waits for news.
    /// - Returns: nil when the reader is over.
    /// - Throws: `moved` when the seat is not here any more.
    package func news(_ follower: FollowerID, for ticket: SeatTicket) async throws -> SeatNews? {
        let host = try live()
        // What arrives while the news are collected may not be among them.
        let before = host.frontier(of: ticket.tour)
        guard let news = await host.news(for: follower) else { return nil }
        let frontier = host.hasNews(follower) ? before : host.frontier(of: ticket.tour)
        return SeatNews(messages: news, mark: try sent(frontier, to: ticket))
    }

    /// The phone was sent news up to this row.
    package func advance(_ follower: FollowerID, through row: Int64) {
        (host as? LiveSeatsHost)?.advance(follower, through: row)
    }

    /// Ends a reader.
    package func endFollower(_ follower: FollowerID) {
        guard let host = host as? LiveSeatsHost else { return }
        host.endFollower(follower)
        endReading(follower, now: host.now)
    }

    /// News that are on their way to a phone.
    /// - Returns: the mark that the phone acknowledges.
    private func sent(_ frontier: Frontier, to ticket: SeatTicket) throws(NodeError) -> UInt64 {
        guard isValid(ticket) else { throw refusal(of: ticket.member, in: ticket.tour) }
        let mark = nextNumber()
        seats[ticket.member]?.sent(mark, frontier)
        return mark
    }

    /// The guest saw every message of its phone up to this one, in the tour's order.
    package func read(through id: String, for ticket: SeatTicket) throws {
        guard isValid(ticket), let view = try live().view(as: ticket.member, in: ticket.tour) else {
            throw refusal(of: ticket.member, in: ticket.tour)
        }
        seats[ticket.member]?.raiseRead(to: try view.event(idPrefix: id).place)
    }
}
