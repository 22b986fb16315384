import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Where a guest is, as its phone says, and for how long others are to see it. Source: `Protocol/15-seats.md`,
/// "Position".
package struct SeatPosition: Sendable {
    /// A phone's end moves by what its requests take; by more it is another one.
    private static let endTolerance: Int64 = 30_000

    /// How long the guest shares it from now on, in seconds; 0: not any more.
    package var seconds: Int64
    /// Where it is; nil: the phone does not know at the moment.
    package var place: Coordinate?
    /// With a probability of 95 % it is within so many metres; 0: not known.
    package var accuracyMetres: UInt32
    /// How many seconds ago the phone measured it: its clock may be wrong.
    package var age: Int64

    package init(seconds: Int64, place: Coordinate? = nil, accuracyMetres: UInt32 = 0, age: Int64 = 0) {
        self.seconds = seconds
        self.place = place
        self.accuracyMetres = accuracyMetres
        self.age = age
    }

    /// Signs for the guest what is worth a row, by the rules of a member's own position.
    /// - Throws: why the seat is not here any more; `slow-down` for another end too often.
    package func share(as ticket: SeatTicket, at seats: isolated NodeSeats) throws {
        let member = ticket.member
        guard seats.isValid(ticket), let live = seats.host as? LiveSeatsHost, let facts = live.facts(of: ticket.tour),
            seats.isOurs(member, facts), let seat = seats.seats[member], !seat.isMoving
        else { throw seats.refusal(of: member, in: ticket.tour) }
        let host = SeatPlacesHost(seat: seat, around: LivePlacesHost(node: live.node))
        let sharing = seat.sharing ?? TourSharing(tour: ticket.tour)
        seats.seats[member]?.sharing = sharing
        let newest = host.newest(in: ticket.tour)
        if let newest { sharing.record(newest, own: member) }
        guard seconds > 0 else {
            // It may have begun at another host, or before this one's last start.
            if let newest, newest.fix != nil, newest.until > host.wallMilliseconds, !sharing.isSharing {
                try sharing.begin(until: newest.until, host)
            }
            _ = try sharing.end(host)
            return
        }
        let until = host.wallMilliseconds + seconds * 1_000
        let current = sharing.current(wallMilliseconds: host.wallMilliseconds)
        if current.map({ abs($0.until - until) > Self.endTolerance }) ?? true {
            // The first row of each sharing goes out at once.
            if let pause = seats.seats[member]?.pauseToWrite(now: host.now) { throw NodeError.seat(.slowDown(pause)) }
            try sharing.begin(until: until, host)
        }
        let fixedAt = host.wallMilliseconds - age * 1_000
        if let place, let fix = Fix(place, accuracyMetres: accuracyMetres, fixedAt: fixedAt) { sharing.send(fix, host) }
    }
}

/// What surrounds the sharing of a guest's position: its own key signs, and nothing is stored.
// Made, used and dropped on the node's loop.
private struct SeatPlacesHost: PlacesHost {
    let seat: Seat
    let around: LivePlacesHost

    init(seat: Seat, around: LivePlacesHost) {
        self.seat = seat
        self.around = around
    }

    var now: Instant { around.now }
    var wallMicroseconds: Int64 { around.wallMicroseconds }
    var isOnline: Bool { around.isOnline }
    var hasReceiver: Bool { false }

    func beginReading() -> Task<Void, Never>? { nil }

    func facts(of tour: TourID) -> PlacesFacts? {
        around.facts(of: tour).map { PlacesFacts(own: seat.member, isActive: $0.isActive) }
    }

    func sign(_ digest: [UInt8], in tour: TourID) -> [UInt8]? { seat.pair?.sign(digest) }

    func publish(_ position: VerifiedPosition, in tour: TourID) { around.publish(position, in: tour) }

    /// A phone says again what it shares; without its phone a seat shares nothing.
    func setting(_ name: String) -> [UInt8]? { nil }

    func setSetting(_ name: String, _ value: [UInt8]?) {}

    func count(_ fault: any Fault) { around.count(fault) }

    /// The guest's newest row, whichever host signed it.
    func newest(in tour: TourID) -> PositionClaim? {
        let member = seat.member
        return around.node.assumeIsolated { node in
            node.sessions[tour]?.gossip.sharedPositions(NodeClock.now).first { $0.claim.member == member }?.claim
        }
    }
}
