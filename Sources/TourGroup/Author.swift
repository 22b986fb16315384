import TourCrypto
import TourModel
import TourWire

/// The writing end of one's own log: seals, chains and signs. Source: `Protocol/05-events.md`.
///
/// An event is in the log once it is stored. The shell writes events, stores them, and only then sends them; when
/// storing fails the shell calls `rewind`, so that no sequence is used twice for different bytes that anybody has seen.
package struct Author: Sendable {
    /// Where a log ends.
    package struct Tail: Hashable, Sendable {
        /// The last event's place; 0 for an empty log.
        package var sequence: UInt64
        /// The last event's id.
        package var id: EventID

        package init(sequence: UInt64, id: EventID) {
            self.sequence = sequence
            self.id = id
        }
    }

    /// The key pair that signs the events.
    package let identity: SigningKeyPair
    /// The member that the identity names.
    package let id: MemberID
    /// The tour in whose log it writes.
    package let tour: TourID
    /// The end of the log.
    package private(set) var tail: Tail
    /// The clock of the last event written or witnessed.
    package private(set) var clock: LogicalClock

    package init(identity: SigningKeyPair, tour: TourID, tail: Tail, clock: LogicalClock) {
        self.identity = identity
        id = MemberID(identity: identity.publicKey)
        self.tour = tour
        self.tail = tail
        self.clock = clock
    }

    /// Advances our clock to that of another member's event, if it is credible.
    package mutating func witness(_ other: LogicalClock, wallMilliseconds: Int64) {
        clock = clock.witnessing(other, wallMilliseconds: wallMilliseconds)
    }

    /// Moves the end back to `tail`: the events after it were not stored. The clock stays.
    package mutating func rewind(to tail: Tail) { self.tail = tail }

    /// Continues the log behind this event of ours, which others had kept. Its clock counts even if our wall clock was
    /// wrong then: the clocks of one log only grow.
    package mutating func adopt(_ event: Event) {
        tail = Tail(sequence: event.header.sequence, id: event.id)
        clock = max(clock, event.header.clock)
    }

    /// Writes a control event, unsealed.
    package mutating func write(_ body: ControlBody, wallMilliseconds: Int64) -> Event {
        append(eventClass: .control, epoch: .none, wallMilliseconds: wallMilliseconds) { _ in body.encode() }
    }

    /// Writes content, sealed under an epoch's key. The content determines the event's class.
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
