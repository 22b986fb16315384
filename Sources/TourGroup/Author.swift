import TourCrypto
import TourModel
import TourWire

/// The writing end of one's own log: seals, chains and signs. Source: `Protocol/05-events.md`.
///
/// An event is in the log once it is stored. The shell writes events, stores them, and only then sends them; when
/// storing fails it puts the author back with `rewind`, so that no sequence is used twice for different bytes that
/// anybody has seen.
package struct Author: Sendable {
    /// Where a log ends.
    package struct Tail: Hashable, Sendable {
        package var sequence: UInt64
        package var id: EventID

        package init(sequence: UInt64, id: EventID) {
            self.sequence = sequence
            self.id = id
        }
    }

    package let identity: SigningKeyPair
    package let id: MemberID
    package let tour: TourID
    package private(set) var tail: Tail
    package private(set) var clock: LogicalClock

    package init(identity: SigningKeyPair, tour: TourID, tail: Tail, clock: LogicalClock) {
        self.identity = identity
        id = MemberID(identity: identity.publicKey)
        self.tour = tour
        self.tail = tail
        self.clock = clock
    }

    /// Lets a reading of somebody else's event move our clock, if it is credible.
    package mutating func witness(_ other: LogicalClock, wallMilliseconds: Int64) {
        clock = clock.witnessing(other, wallMilliseconds: wallMilliseconds)
    }

    /// Undoes everything after `tail`: those events were not stored. The clock stays where it is.
    package mutating func rewind(to tail: Tail) { self.tail = tail }

    /// The log goes on behind this event of ours, which others had kept. Its reading counts even if our clock was wrong
    /// then: readings of one log only grow.
    package mutating func adopt(_ event: Event) {
        tail = Tail(sequence: event.header.sequence, id: event.id)
        clock = max(clock, event.header.clock)
    }

    /// A control event, in clear.
    package mutating func write(_ body: ControlBody, wallMilliseconds: Int64) -> Event {
        append(eventClass: .control, epoch: .none, wallMilliseconds: wallMilliseconds) { _ in body.encode() }
    }

    /// Content, sealed under an epoch's key. Its class follows from the content.
    package mutating func write(_ content: Content, under epoch: EpochKey, wallMilliseconds: Int64) -> Event {
        guard let eventClass = content.eventClass else { preconditionFailure("content of an unknown kind is not ours") }
        let key = epoch.bodyKey(author: id)
        return append(eventClass: eventClass, epoch: epoch.id, wallMilliseconds: wallMilliseconds) { header in
            Seal.seal(
                content.encode(), key: key,
                associatedData: header.exactBytes.prefix(EventHeader.sealedPrefixLength))
        }
    }

    private mutating func append(
        eventClass: EventClass, epoch: EpochID, wallMilliseconds: Int64, body: (EventHeader) -> [UInt8]
    ) -> Event {
        clock = clock.next(wallMilliseconds: wallMilliseconds)
        var header = EventHeader(
            eventClass: eventClass, tour: tour, author: id, sequence: tail.sequence + 1, previous: tail.id,
            clock: clock, epoch: epoch)
        let body = body(header)
        header.bodyHash = EventCrypto.bodyHash(body)
        let event = Event(header, signature: EventCrypto.sign(header.exactBytes, by: identity), body: body)
        tail = Tail(sequence: header.sequence, id: event.id)
        return event
    }
}
