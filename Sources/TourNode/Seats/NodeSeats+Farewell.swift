import TourCrypto
import TourGroup
import TourModel
import TourWire

// A tour that has ended: its guests write nothing any more, and read and save what there is for a day.
// Source: `Protocol/15-seats.md`, "Farewell".
extension NodeSeats {
    /// Once a second: notes when the tour ended, and keeps no key of a guest from then on. An end that does not count
    /// after all, since somebody above its author changed their rank, lets the phones come anew.
    func reviewEnd(_ host: any SeatsHost) {
        guard var giving, giving.noteEnd(host) else { return }
        self.giving = giving
        if giving.endedAt == nil { seats = [:] }
        for member in seats.keys { seats[member]?.forgetKey() }
        // Where that fails, the next start notes another time.
        try? giving.keep(host)
    }

    /// Until when guests may read a tour that has ended, in milliseconds since 1970; nil: the tour goes on.
    func readableUntil(_ host: any SeatsHost) -> Int64? {
        reviewEnd(host)
        return giving?.endedAt.map { $0 + SeatLimits.farewellSeconds * 1_000 }
    }

    /// Whether a guest may still read.
    func mayRead(_ member: MemberID, _ facts: SeatFacts, _ host: any SeatsHost) -> Bool {
        guard facts.isEnded, let until = readableUntil(host) else { return false }
        return facts.wallMilliseconds < until && facts.roster.members[member]?.isActive == true
    }

    /// Gives a phone its place in a tour that has ended, for reading alone: the seat stays with its host, and what the
    /// phone wrote and nobody has stays with the phone.
    /// - Returns: nil while the tour goes on.
    /// - Throws: `tour-ended` when the time is over; `unknown-seat`, `wrong-secret`, `over`, `removed`.
    func resumeEnded(_ member: MemberID, secret: [UInt8]) throws(NodeError) -> SeatStanding? {
        let host = try theHost()
        guard let giving, let facts = host.facts(of: giving.tour), facts.isEnded else { return nil }
        guard let guest = facts.roster.members[member], guest.isGuest else { throw .seat(.unknownSeat) }
        guard guest.isActive else { throw ending(of: member, facts, giving.tour, host) }
        guard mayRead(member, facts, host) else { throw .seat(.ended) }
        guard secret.count == SeatKeys.secretBytes, let keys = facts.book.record(of: member)?.keys,
            (try? SeatKeys.open(keys, under: SecretBytes(secret), tour: giving.tour, member: member)) != nil
        else { throw .seat(.wrongSecret) }
        if seats[member] == nil { seats[member] = Seat(member: member, pair: nil, keys: keys, now: host.now) }
        let number = nextNumber()
        seats[member]?.add(number)
        let end = host.tail(of: member, in: giving.tour)
        return SeatStanding(
            ticket: SeatTicket(tour: giving.tour, member: member, number: number), memberID: member.hex,
            name: facts.names[member] ?? "", head: SeatHead(seq: end?.sequence ?? 0, id: end?.id.hex ?? ""), tail: [],
            prepared: nil, hosts: facts.otherHosts, formerHosts: facts.formerHosts, isEnded: true,
            pageKey: SeatPage.key(of: giving.tour), addresses: listening.addresses(host.addresses))
    }

    /// A phone whose `enter` had no answer before the tour ended is in all the same.
    /// - Returns: nil while the tour goes on, and for a secret that nobody has: `enter` refuses it.
    func enterEnded(_ secret: [UInt8]) throws(NodeError) -> SeatStanding? {
        guard let giving, let facts = try theHost().facts(of: giving.tour), facts.isEnded,
            let member = facts.guest(with: SecretBytes(secret), in: giving.tour)
        else { return nil }
        return try resumeEnded(member, secret: secret)
    }
}
