import TourModel

/// An event as stored on this node.
package struct StoredEvent: Hashable, Sendable {
    /// The event with its exact bytes.
    package let event: Event
    /// Where it stands among the messages: at its clock, or where it arrived if that clock was not to be believed.
    package let place: LogicalClock
    /// When the commit that stored it had returned, in microseconds since 1970. A crash right after a commit leaves the
    /// time just before it; the time never orders anything.
    package let receivedAt: Int64
    /// The number of links that the event crossed to get here; 0 for our own.
    package let hops: Int
    /// The content of an event whose epoch's key is wiped; nil: the key opens it, or nothing does.
    package let archived: [UInt8]?
    /// Whether it was displayed to the user.
    package let isSeen: Bool

    package init(
        event: Event, place: LogicalClock, receivedAt: Int64, hops: Int, archived: [UInt8]? = nil, isSeen: Bool = false
    ) {
        self.place = place
        self.isSeen = isSeen
        self.archived = archived
        self.event = event
        self.receivedAt = receivedAt
        self.hops = hops
    }
}

/// The end of one author's stored log.
package struct StoredHead: Hashable, Sendable {
    /// The highest sequence; there are no gaps below it.
    package let sequence: UInt64
    /// The id that the next event's `previous` must have.
    package let id: EventID
    /// The clock of the last event, which need not be the author's highest.
    package let clock: LogicalClock
    /// The size of the log.
    package let size: LogSize
}

/// A stored event and its place in the order of arrival; rows only grow.
package struct ArrivedEvent: Hashable, Sendable {
    /// Unique in the database; gaps are ordinary.
    package let row: Int64
    /// The event at that row.
    package let stored: StoredEvent
    /// Whether it was already stored ahead of its log: no news then.
    package let wasAhead: Bool

    init(row: Int64, stored: StoredEvent, wasAhead: Bool = false) {
        self.row = row
        self.stored = stored
        self.wasAhead = wasAhead
    }
}
