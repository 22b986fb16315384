/// The part of an event that every relay can read. Source: `Protocol/05-events.md`, "Header".
///
/// ```
/// offset size
///      0    1  version (1)
///      1    1  class
///      2   32  tour id (zero in the genesis event)
///     34   32  author (member id)
///     66    8  sequence, big-endian, from 1
///     74   32  id of the author's previous event (zero for sequence 1)
///    106    8  logical clock, big-endian
///    114   32  epoch id (zero when the body is not sealed)
///    146   32  H("body", body)
/// ```
package struct EventHeader: Hashable, Sendable {
    /// The version in the first byte.
    package static let version: UInt8 = 1
    /// The header's length in bytes.
    package static let length = 178
    /// The length of the part that is the associated data of the sealed body: all but the body's own hash.
    package static let sealedPrefixLength = 146

    /// The event's class.
    package var eventClass: EventClass
    /// The tour; zero in the genesis.
    package var tour: TourID
    /// The member that wrote the event.
    package var author: MemberID
    /// The place in the author's log, from 1.
    package var sequence: UInt64
    /// The id of the author's previous event.
    package var previous: EventID
    /// The author's logical clock.
    package var clock: LogicalClock
    /// The epoch that seals the body; zero when it is not sealed.
    package var epoch: EpochID
    /// The hash of the body.
    package var bodyHash: Bytes32

    package init(
        eventClass: EventClass, tour: TourID, author: MemberID, sequence: UInt64, previous: EventID,
        clock: LogicalClock, epoch: EpochID, bodyHash: Bytes32 = .zero
    ) {
        self.eventClass = eventClass
        self.tour = tour
        self.author = author
        self.sequence = sequence
        self.previous = previous
        self.clock = clock
        self.epoch = epoch
        self.bodyHash = bodyHash
    }

    /// The exact 178 bytes that are hashed and signed.
    package var exactBytes: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(Self.length)
        bytes.append(Self.version)
        bytes.append(eventClass.rawValue)
        tour.raw.append(to: &bytes)
        author.raw.append(to: &bytes)
        bytes.append(bigEndian: sequence)
        previous.raw.append(to: &bytes)
        bytes.append(bigEndian: clock.value)
        epoch.raw.append(to: &bytes)
        bodyHash.append(to: &bytes)
        return bytes
    }
}

/// The urgency of an event, which relays can read; its content stays sealed. Source: `Protocol/05-events.md`,
/// "Classes".
///
/// Nodes keep and relay unknown classes as chat.
package struct EventClass: RawRepresentable, Hashable, Sendable {
    /// The byte in the header.
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Membership and keys: not sealed, at most `Limits.controlBodyBytesMax`.
    package static let control = EventClass(rawValue: 0)
    /// Events for everybody, ahead of all others: announcements, meeting points, alarms and roll calls. Void unless
    /// their author ranks guide or higher; alarms excepted.
    package static let announcement = EventClass(rawValue: 1)
    /// Members' messages.
    package static let chat = EventClass(rawValue: 2)
    /// Events that decorate or change other messages: names, withdrawals. Few, so that a node can read them all at its
    /// start, except for the data of shared records, which are recognised by their length
    /// (`Limits.decorationBytesMax`).
    package static let profile = EventClass(rawValue: 3)
    /// A file, a picture or a shared record: a class of its own, so that a node finds them without opening every
    /// message. The network traffic shows the distribution of a file anyway.
    package static let file = EventClass(rawValue: 4)

    /// Whether the event is listed as a message; control events and decorations are not.
    package var isMessage: Bool { self != .control && self != .profile }

    /// Whether it overtakes chat on links and in datagrams.
    package var isUrgent: Bool { self == .control || self == .announcement }

    /// Whether nodes accept, show and pass on the event although an earlier one of its author is missing. Control
    /// events do not go ahead: `Control` messages make them count. Source: `Protocol/06-replication.md`, "Ahead of the
    /// log".
    package var goesAhead: Bool { self == .announcement }
}

/// One event with its exact bytes: signed bytes are never encoded again.
package struct Event: Hashable, Sendable {
    /// A signature's length in bytes.
    package static let signatureLength = 64
    /// The body's offset in the event's bytes.
    package static let bodyOffset = EventHeader.length + signatureLength

    /// The decoded header.
    package let header: EventHeader
    /// `H("event-id", header, signature)`.
    package let id: EventID
    /// Header, signature, body.
    package let bytes: [UInt8]

    /// Combines the parts unchecked; `TourWire` parses them and `TourCrypto` computes the id.
    package init(header: EventHeader, id: EventID, bytes: [UInt8]) {
        precondition(bytes.count >= Self.bodyOffset, "an event is at least its header and signature")
        self.header = header
        self.id = id
        self.bytes = bytes
    }

    /// The header's exact bytes.
    package var headerBytes: ArraySlice<UInt8> { bytes[..<EventHeader.length] }
    /// The signature over the header.
    package var signature: ArraySlice<UInt8> { bytes[EventHeader.length..<Self.bodyOffset] }
    package var body: ArraySlice<UInt8> { bytes[Self.bodyOffset...] }

    /// The tour's order, identical on every node: logical clock, author, sequence.
    package static func precedes(_ left: Event, _ right: Event) -> Bool {
        if left.header.clock != right.header.clock { return left.header.clock < right.header.clock }
        if left.header.author != right.header.author { return left.header.author < right.header.author }
        return left.header.sequence < right.header.sequence
    }
}
