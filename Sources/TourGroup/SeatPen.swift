import TourCrypto
import TourModel
import TourWire

/// How a seat's host writes for it: nothing counts before the phone has it. Source: `Protocol/15-seats.md`, "One place,
/// one writer".
package enum SeatPen {
    /// The first events of a log: with whom the seat is, and its name.
    /// - Parameters:
    ///   - host: the member who writes.
    ///   - keys: the seat's key, sealed under the phone's secret.
    ///   - clock: the last clock that the host wrote or saw.
    package static func beginning(
        by pair: SigningKeyPair, host: MemberID, keys: [UInt8], name: String, in tour: TourID, under epoch: EpochKey,
        clock: LogicalClock, wallMilliseconds: Int64
    ) -> [Event] {
        var author = Author(identity: pair, tour: tour, tail: Author.Tail(sequence: 0, id: .none), clock: clock)
        return [Content.seat(SeatRecord(host: host, keys: keys)), .profile(name: name)].map {
            author.write($0, under: epoch, wallMilliseconds: wallMilliseconds)
        }
    }

    /// The next event of a log. The clocks of one log only grow, whatever the clock of this machine says.
    /// - Parameters:
    ///   - last: the log's last event; nil: there is none.
    ///   - clock: the last clock that the host wrote or saw.
    package static func next(
        by pair: SigningKeyPair, in tour: TourID, behind last: Event?, clock: LogicalClock,
        _ write: (inout Author) -> Event
    ) -> Event {
        var author = Author(identity: pair, tour: tour, tail: Author.Tail(sequence: 0, id: .none), clock: clock)
        if let last { author.adopt(last) }
        return write(&author)
    }

    /// Whether what was prepared may still be confirmed: nothing else has its place, and nobody was removed since who
    /// has the key under which it is sealed.
    /// - Parameters:
    ///   - end: where the log ends.
    ///   - sending: the epoch under whose key is sealed now.
    package static func mayConfirm(_ event: Event, behind end: Author.Tail, sending: EpochID?) -> Bool {
        event.header.previous == end.id && event.header.sequence == end.sequence + 1
            && (event.header.epoch == .none || event.header.epoch == sending)
    }
}
