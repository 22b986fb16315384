import TourCrypto
import TourGroup
import TourModel
import TourStore
import TourWire

// What guests write: prepared here, confirmed by the phone, stored here.
// Source: `Protocol/15-seats.md`, "One place, one writer".
extension NodeSeats {
    /// Makes the event of an act without storing it. One that was prepared before and not confirmed is forgotten.
    /// - Throws: why the seat is not here any more; `slow-down`; what is wrong with the act.
    package func prepare(_ act: SeatAct, for ticket: SeatTicket) async throws -> PreparedEvent {
        let host = try theHost()
        guard isValid(ticket) else { throw refusal(of: ticket.member, in: ticket.tour) }
        guard readableUntil(host) == nil else { throw NodeError.seat(.ended) }
        guard seats[ticket.member]?.isMoving != true else { throw NodeError.seat(.gone) }
        if let seconds = pause(before: act, of: ticket.member, now: host.now) {
            throw NodeError.seat(.slowDown(seconds))
        }
        let (member, tour) = (ticket.member, ticket.tour)
        let said =
            if case .picture(let path, let caption, let replyTo) = act {
                try await host.picture(path, caption: caption, replyTo: replyTo, by: member, in: tour)
            } else {
                try host.content(of: act, by: member, in: tour)
            }
        guard isValid(ticket) else { throw refusal(of: ticket.member, in: ticket.tour) }
        switch said {
        case .content(let content, let blob):
            return try await prepare(content, blob, of: member, tour, host)
        case .leave:
            guard let facts = host.facts(of: tour) else { throw NodeError.seat(.over) }
            return try keep(nil, of: member, tour, host) { author in
                author.write(ControlBody.leave, wallMilliseconds: facts.wallMilliseconds)
            }
        }
    }

    private func pause(before act: SeatAct, of member: MemberID, now: Instant) -> Int? {
        if case .alarm = act { seats[member]?.pauseToCall(now: now) } else { seats[member]?.pauseToWrite(now: now) }
    }

    /// - Parameter isMove: the event is the record that moves the seat here: nothing else comes before it.
    func prepare(
        _ content: Content, _ blob: BlobID? = nil, of member: MemberID, _ tour: TourID, _ host: any SeatsHost,
        isMove: Bool = false
    ) async throws -> PreparedEvent {
        let epoch = try await host.sealingKey(in: tour)
        guard let facts = host.facts(of: tour), giving?.tour == tour, isOurs(member, facts),
            seats[member]?.isMoving == isMove
        else { throw refusal(of: member, in: tour) }
        return try keep(blob, of: member, tour, host) { author in
            author.write(content, under: epoch, wallMilliseconds: facts.wallMilliseconds)
        }
    }

    /// Makes the next event of a seat's log, and keeps it until the phone confirms it.
    private func keep(
        _ blob: BlobID?, of member: MemberID, _ tour: TourID, _ host: any SeatsHost,
        _ write: (inout Author) -> Event
    ) throws -> PreparedEvent {
        guard let seat = seats[member], let pair = seat.pair, let facts = host.facts(of: tour) else {
            throw NodeError.seat(.gone)
        }
        // The place behind an event on its way to the disk is not known to be free.
        guard !deliveries.has(member) else { throw NodeError.busy }
        let end = try end(of: member, tour, host)
        let last = end.sequence > 0 ? host.event(tour, of: member, at: end.sequence) : nil
        guard last?.id ?? .none == end.id else { throw NodeError.busy }
        let event = SeatPen.next(by: pair, in: tour, behind: last, clock: facts.clock, write)
        guard host.hasRoom(for: event, in: tour) else { throw NodeError.shareFull(facts.tourName) }
        if let blob { try host.claim(blob, for: event.id, in: tour) }
        seats[member]?.prepared = event
        return PreparedEvent(event)
    }

    /// Stores and sends what was prepared; returns when it is on the disk. Confirmed again, it only answers.
    /// - Throws: `moved` for anything but what was prepared last.
    package func confirm(_ id: String, for ticket: SeatTicket) async throws -> SeatHead {
        let host = try theHost()
        guard isValid(ticket) else { throw refusal(of: ticket.member, in: ticket.tour) }
        let (member, tour) = (ticket.member, ticket.tour)
        // The answer to the first request may have been lost, and others have written since.
        if let place = host.place(of: id, as: member, in: tour) { return SeatHead(seq: place, id: id) }
        guard let event = seats[member]?.prepared, event.id.hex == id, let facts = host.facts(of: tour),
            isOurs(member, facts)
        else { throw NodeError.seat(.moved) }
        if !deliveries.has(member) {
            let end = try end(of: member, tour, host)
            guard SeatPen.mayConfirm(event, behind: end, sending: host.sendingEpoch(in: tour)) else {
                throw NodeError.seat(.moved)
            }
        }
        // Its bytes are at the phone: from here on they may be known elsewhere, and nothing else may take their place.
        try beginDelivery(of: event)
        host.deliver(Run([event], hops: 0, pushed: true), in: tour)
        try await untilStored(event.header.sequence, of: member, in: tour, host)
        if seats[member]?.prepared?.id == event.id {
            seats[member]?.prepared = nil
            seats[member]?.isMoving = false
        }
        return SeatHead(seq: event.header.sequence, id: id)
    }
}
