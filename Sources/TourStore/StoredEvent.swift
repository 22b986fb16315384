import TourModel

/// An event as this node keeps it.
package struct StoredEvent: Hashable, Sendable {
    /// With its exact bytes.
    package let event: Event
    /// Microseconds since 1970 when the commit that made it durable had returned. A crash right after a commit leaves
    /// the time just before it; it never orders anything.
    package let receivedAt: Int64
    /// Links the event crossed to get here; 0 for our own.
    package let hops: Int
    /// What it says, of one whose epoch's key is wiped; nil: the key opens it, or nothing does.
    package let archived: [UInt8]?
    /// It was displayed to the user.
    package let isSeen: Bool

    package init(event: Event, receivedAt: Int64, hops: Int, archived: [UInt8]? = nil, isSeen: Bool = false) {
        self.isSeen = isSeen
        self.archived = archived
        self.event = event
        self.receivedAt = receivedAt
        self.hops = hops
    }
}

/// The end of one author's stored log.
package struct StoredHead: Hashable, Sendable {
    /// The highest one; there are no gaps below it.
    package let sequence: UInt64
    /// What the next event's `previous` must be.
    package let id: EventID
    /// The reading of the last event, which need not be the author's highest.
    package let clock: LogicalClock
    /// What the log takes up to here.
    package let size: LogSize
}

/// A stored event and its place in the order of arrival; rows only grow.
package struct ArrivedEvent: Hashable, Sendable {
    /// Unique in the database; gaps are ordinary.
    package let row: Int64
    /// The event at that row.
    package let stored: StoredEvent
    /// It was there already, ahead of its log: nothing to tell anybody.
    package let wasAhead: Bool

    init(row: Int64, stored: StoredEvent, wasAhead: Bool = false) {
        self.row = row
        self.stored = stored
        self.wasAhead = wasAhead
    }
}
