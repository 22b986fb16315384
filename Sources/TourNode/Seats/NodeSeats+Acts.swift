import TourCrypto
import TourGroup
import TourModel
import TourStore
import TourWire

// What guests write: prepared here, confirmed by the phone, stored here.
// Source: `Protocol/15-seats.md`, "One place, one writer".
extension NodeSeats {
    /// Makes the event of an act without storing it. One that was prepared before and not confirmed is forgotten.
    /// - Throws: `moved` once the seat is not here any more; `slow-down`; what is wrong with the act.
    package func prepare(_ act: SeatAct, for ticket: SeatTicket) async throws -> PreparedEvent {
        let host = try theHost()
        guard isValid(ticket), seats[ticket.member]?.isMoving != true else { throw NodeError.seat(.moved) }
        guard seats[ticket.member]?.budget.hasOne(now: host.now) == true else {
            throw NodeError.seat(.slowDown(2))
        }
        seats[ticket.member]?.budget.acquire()
        switch try await host.content(of: act, by: ticket.member, in: ticket.tour) {
        case .content(let content, let blob):
            return try await prepare(content, blob, of: ticket.member, ticket.tour, host)
        case .leave:
            guard let facts = host.facts(of: ticket.tour) else { throw NodeError.seat(.over) }
            return try keep(nil, of: ticket.member, ticket.tour, host) { author in
                author.write(ControlBody.leave, wallMilliseconds: facts.wallMilliseconds)
            }
        }
    }

    @discardableResult
    func prepare(
        _ content: Content, _ blob: BlobID? = nil, of member: MemberID, _ tour: TourID, _ host: any SeatsHost
    ) async throws -> PreparedEvent {
        let epoch = try await host.sealingKey(in: tour)
        guard let facts = host.facts(of: tour), isOurs(member, facts) else { throw NodeError.seat(.moved) }
        return try keep(blob, of: member, tour, host) { author in
            author.write(content, under: epoch, wallMilliseconds: facts.wallMilliseconds)
        }
    }

    /// Makes the next event of a seat's log, and keeps it until the phone confirms it.
    private func keep(
        _ blob: BlobID?, of member: MemberID, _ tour: TourID, _ host: any SeatsHost,
        _ write: (inout Author) -> Event
    ) throws(NodeError) -> PreparedEvent {
        guard let seat = seats[member], let facts = host.facts(of: tour) else { throw .seat(.moved) }
        // The place behind an event on its way to the disk is not known to be free.
        guard !deliveries.has(member) else { throw .busy }
        var author = Author(
            identity: seat.pair, tour: tour, tail: try tail(of: member, tour, host), clock: facts.clock)
        let event = write(&author)
        guard host.hasRoom(for: event, in: tour) else { throw .shareFull(facts.tourName) }
        seats[member]?.prepared = Seat.Prepared(event: event, blob: blob)
        return PreparedEvent(event)
    }

    /// Stores and sends what was prepared; returns when it is on the disk. Confirmed again, it only answers.
    /// - Throws: `moved` for anything but what was prepared last.
    package func confirm(_ id: String, for ticket: SeatTicket) async throws -> SeatHead {
        let host = try theHost()
        guard isValid(ticket) else { throw NodeError.seat(.moved) }
        let (member, tour) = (ticket.member, ticket.tour)
        // The answer to the first request may have been lost, and others have written since.
        if let place = host.place(of: id, as: member, in: tour) { return SeatHead(seq: place, id: id) }
        let end = try tail(of: member, tour, host)
        guard let prepared = seats[member]?.prepared, prepared.event.id.hex == id,
            prepared.event.header.previous == end.id, let facts = host.facts(of: tour), isOurs(member, facts)
        else { throw NodeError.seat(.moved) }
        try beginDelivery(of: prepared.event)
        if let blob = prepared.blob { try host.claim(blob, for: prepared.event.id, in: tour) }
        // Its bytes are at the phone: from here on they may be known elsewhere, and nothing else may take their place.
        host.deliver(Run([prepared.event], hops: 0, pushed: true), in: tour)
        try await untilStored(prepared.event.header.sequence, of: member, host)
        if seats[member]?.prepared?.event.id == prepared.event.id {
            seats[member]?.prepared = nil
            seats[member]?.isMoving = false
        }
        return SeatHead(seq: prepared.event.header.sequence, id: id)
    }
}
