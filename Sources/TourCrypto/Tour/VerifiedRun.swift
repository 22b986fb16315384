import TourModel

/// Consecutive events of one author, proven by the author's signature. Source: `Protocol/05-events.md`, "Runs".
///
/// Only the checks below can create one, so its holder need not check again.
package struct VerifiedRun: Sendable {
    /// At least one; each names its predecessor.
    package let events: [Event]
    /// The number of links crossed, the last one included.
    package let hops: Int
    /// Whether the sender pushed the run unasked.
    package let pushed: Bool

    /// The author of all its events.
    package var author: MemberID { events[0].header.author }
    /// The first event's sequence.
    package var first: UInt64 { events[0].header.sequence }
    /// The last event's sequence.
    package var last: UInt64 { first + UInt64(events.count) - 1 }

    /// Rebuilds the exact signed bytes and verifies the last signature; the hash chain proves the events before it,
    /// since an event's id covers its signature.
    /// - Throws: `badSignature` (scope record).
    package init(_ run: Run, tour: TourID, identity: SigningKey) throws(VerificationFault) {
        guard MemberID(identity: identity) == run.author else { throw .badSignature }
        var events = [Event]()
        events.reserveCapacity(run.events.count)
        var previous = run.previous
        for (offset, event) in run.events.enumerated() {
            let header = EventHeader(
                eventClass: event.eventClass, tour: tour, author: run.author, sequence: run.first + UInt64(offset),
                previous: previous, clock: event.clock, epoch: event.epoch,
                bodyHash: EventCrypto.bodyHash(event.body))
            let rebuilt = Self.rebuild(header, event)
            previous = rebuilt.id
            events.append(rebuilt)
        }
        guard let last = events.last,
            EventCrypto.verify(last.headerBytes, signature: last.signature, author: identity)
        else { throw .badSignature }
        // Control events and announcements also travel alone, where their own signatures must hold: every node must
        // judge them alike.
        for event in events.dropLast() where event.header.eventClass.isUrgent {
            guard EventCrypto.verify(event.headerBytes, signature: event.signature, author: identity) else {
                throw .badSignature
            }
        }
        self.init(unchecked: events, hops: run.hops + 1, pushed: run.pushed)
    }

    /// The run without the events before this sequence.
    /// - Returns: nil when none is left.
    package func suffix(from sequence: UInt64) -> VerifiedRun? {
        guard sequence <= last else { return nil }
        let start = Int(max(sequence, first) - first)
        return VerifiedRun(unchecked: Array(events[start...]), hops: hops, pushed: pushed)
    }

    /// The genesis cannot carry the tour's id: an event is the genesis if its hash, with no tour in the header, is that
    /// id.
    private static func rebuild(_ header: EventHeader, _ event: RunEvent) -> Event {
        if header.sequence == 1, header.previous == .none, header.eventClass == .control {
            var unnamed = header
            unnamed.tour = .none
            let genesis = Event(unnamed, signature: event.signature, body: event.body)
            if TourID(genesis: genesis.bytes) == header.tour { return genesis }
        }
        return Event(header, signature: event.signature, body: event.body)
    }

    /// Verifies one event that arrived alone, not in a run.
    /// - Throws: `badSignature` for a wrong body hash, author or signature (scope record).
    package init(
        header: EventHeader, bytes: [UInt8], identity: SigningKey
    ) throws(VerificationFault) {
        let event = Event(header: header, id: .none, bytes: bytes)
        guard MemberID(identity: identity) == header.author, EventCrypto.bodyHash(event.body) == header.bodyHash,
            EventCrypto.verify(event.headerBytes, signature: event.signature, author: identity)
        else { throw .badSignature }
        let id = EventCrypto.id(headerBytes: event.headerBytes, signature: event.signature)
        self.init(unchecked: [Event(header: header, id: id, bytes: bytes)], hops: 0, pushed: false)
    }

    private init(unchecked events: [Event], hops: Int, pushed: Bool) {
        self.events = events
        self.hops = hops
        self.pushed = pushed
    }
}

/// An event or claim that its author did not sign. Scope: the record.
package enum VerificationFault: String, Fault {
    /// The signature, or the hash or author that it covers, does not match.
    case badSignature = "bad-signature"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}

extension Event {
    /// Assembles an event and computes its id.
    package init(_ header: EventHeader, signature: some Collection<UInt8>, body: some Collection<UInt8>) {
        let headerBytes = header.exactBytes
        var bytes = headerBytes
        bytes.reserveCapacity(Event.bodyOffset + body.count)
        bytes.append(contentsOf: signature)
        bytes.append(contentsOf: body)
        let id = EventCrypto.id(headerBytes: headerBytes, signature: signature)
        self.init(header: header, id: id, bytes: bytes)
    }
}
