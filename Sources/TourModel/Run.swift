/// Consecutive events of one author, without the fields that the receiver can restore. Source: `Protocol/05-events.md`,
/// "Runs".
package struct Run: Hashable, Sendable {
    /// The author of all its events.
    package var author: MemberID
    /// The sequence of the first event.
    package var first: UInt64
    /// The id of the event before the first.
    package var previous: EventID
    /// The events, in order.
    package var events: [RunEvent]
    /// The number of links crossed before this one.
    package var hops: Int
    /// Whether it was sent unasked, as it became known.
    package var pushed: Bool

    package init(
        author: MemberID, first: UInt64, previous: EventID, events: [RunEvent], hops: Int, pushed: Bool
    ) {
        self.author = author
        self.first = first
        self.previous = previous
        self.events = events
        self.hops = hops
        self.pushed = pushed
    }

    /// The sequence of the last event.
    package var last: UInt64 { first + UInt64(events.count) - 1 }

    /// Whether it may go ahead of its author's log: a single event, proven by its own signature.
    package var goesAhead: Bool { pushed && events.count == 1 && events[0].eventClass.goesAhead }

    /// The events up to this sequence.
    /// - Returns: nil when there are none.
    package func prefix(through sequence: UInt64) -> Run? {
        guard sequence < last else { return self }
        guard first <= sequence else { return nil }
        var run = self
        run.events.removeLast(Int(last - sequence))
        return run
    }

    /// The approximate bytes of the events on the wire (a little more than exact).
    package var byteCount: Int { events.reduce(96) { $0 + $1.byteCount } }

    /// The run of these events, which must be consecutive and of one author.
    package init(_ events: some Collection<Event>, hops: Int, pushed: Bool) {
        guard let start = events.first else { preconditionFailure("a run has at least one event") }
        self.init(
            author: start.header.author, first: start.header.sequence, previous: start.header.previous,
            events: events.map(RunEvent.init), hops: hops, pushed: pushed)
    }

    /// Splits events of one author, in order, into runs of at most `Limits.runEventsMax` events and about
    /// `Limits.runBytesTarget` bytes. A pushed event that may go ahead of its log has a run of its own: it then
    /// overtakes alone, and its signature proves it.
    package static func runs(of events: some Collection<Event>, hops: Int, pushed: Bool) -> [Run] {
        var runs = [Run]()
        var current = [Event]()
        var bytes = 0
        for event in events {
            let next = event.bytes.count
            let isFull = current.count == Limits.runEventsMax || bytes + next > Limits.runBytesTarget
            let stands =
                pushed
                && (event.header.eventClass.goesAhead || current.last?.header.eventClass.goesAhead == true)
            if !current.isEmpty, isFull || stands {
                runs.append(Run(current, hops: hops, pushed: pushed))
                current = []
                bytes = 0
            }
            current.append(event)
            bytes += next
        }
        if !current.isEmpty { runs.append(Run(current, hops: hops, pushed: pushed)) }
        return runs
    }
}

/// One event of a run, without the fields that the run determines.
package struct RunEvent: Hashable, Sendable {
    /// The event's class.
    package var eventClass: EventClass
    /// The event's clock.
    package var clock: LogicalClock
    /// The epoch that seals the body.
    package var epoch: EpochID
    /// The signature over the header.
    package var signature: ArraySlice<UInt8>
    package var body: ArraySlice<UInt8>

    package init(
        eventClass: EventClass, clock: LogicalClock, epoch: EpochID, signature: ArraySlice<UInt8>,
        body: ArraySlice<UInt8>
    ) {
        self.eventClass = eventClass
        self.clock = clock
        self.epoch = epoch
        self.signature = signature
        self.body = body
    }

    package init(_ event: Event) {
        self.init(
            eventClass: event.header.eventClass, clock: event.header.clock, epoch: event.header.epoch,
            signature: event.signature, body: event.body)
    }

    /// The approximate bytes of the event on the wire.
    package var byteCount: Int { 84 + body.count }
}
