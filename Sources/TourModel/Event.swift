/// What every relay can read of an event. Source: `Protocol/05-events.md`, "Header".
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
    package static let version: UInt8 = 1
    package static let length = 178
    /// The part that is the associated data of the sealed body: all but the body's own hash.
    package static let sealedPrefixLength = 146

    package var eventClass: EventClass
    package var tour: TourID
    package var author: MemberID
    package var sequence: UInt64
    package var previous: EventID
    package var clock: LogicalClock
    package var epoch: EpochID
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

/// What a relay may know of an event's urgency; what it says stays sealed. Source: `Protocol/05-events.md`, "Classes".
///
/// Unknown classes are kept and relayed as chat.
package struct EventClass: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Membership and keys: not sealed, at most `Limits.controlBodyBytesMax`.
    package static let control = EventClass(rawValue: 0)
    /// What is told to everybody, ahead of the rest: announcements, meeting points, alarms and roll calls. But for
    /// alarms it is void unless its author ranks guide or more.
    package static let announcement = EventClass(rawValue: 1)
    /// What members say.
    package static let chat = EventClass(rawValue: 2)
    /// What decorates or changes other messages: names, withdrawals. Few, so that a node can read them all at its
    /// start; but for the data of shared records, which stand out by their length (`Limits.decorationBytesMax`).
    package static let profile = EventClass(rawValue: 3)
    /// A file, a picture or a shared record: named apart, so that a node finds them without opening all that was said.
    /// That one is being spread shows on the network anyway.
    package static let file = EventClass(rawValue: 4)

    /// Whether what it says is listed as a message; control events and decorations are not.
    package var isMessage: Bool { self != .control && self != .profile }

    /// Whether it overtakes chat on links and in datagrams.
    package var isUrgent: Bool { self == .control || self == .announcement }

    /// Whether it is taken, shown and passed on although something that its author wrote before is missing. Control
    /// events are not: `Control` messages make them count. Source: `Protocol/06-replication.md`, "Ahead of the log".
    package var goesAhead: Bool { self == .announcement }
}

/// One event, its exact bytes included: what was signed is never encoded again.
package struct Event: Hashable, Sendable {
    package static let signatureLength = 64
    package static let bodyOffset = EventHeader.length + signatureLength

    package let header: EventHeader
    /// `H("event-id", header, signature)`.
    package let id: EventID
    /// Header, signature, body.
    package let bytes: [UInt8]

    /// Takes the parts as they are; `TourWire` parses and `TourCrypto` makes the id.
    package init(header: EventHeader, id: EventID, bytes: [UInt8]) {
        precondition(bytes.count >= Self.bodyOffset, "an event is at least its header and signature")
        self.header = header
        self.id = id
        self.bytes = bytes
    }

    package var headerBytes: ArraySlice<UInt8> { bytes[..<EventHeader.length] }
    package var signature: ArraySlice<UInt8> { bytes[EventHeader.length..<Self.bodyOffset] }
    package var body: ArraySlice<UInt8> { bytes[Self.bodyOffset...] }

    /// The tour's order, the same on every node: logical clock, author, sequence.
    package static func precedes(_ left: Event, _ right: Event) -> Bool {
        if left.header.clock != right.header.clock { return left.header.clock < right.header.clock }
        if left.header.author != right.header.author { return left.header.author < right.header.author }
        return left.header.sequence < right.header.sequence
    }
}
