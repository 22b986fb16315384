/// The bytes of one log's events that count against its author's share of a tour, with control events counted
/// separately.
/// Source: `Protocol/05-events.md`, "Share".
package struct LogSize: Hashable, Sendable {
    /// The size of an empty log.
    package static let zero = LogSize()

    /// Bytes of the events of all classes but control.
    package private(set) var sealed: Int
    /// Bytes of the control events.
    package private(set) var control: Int

    package init(sealed: Int = 0, control: Int = 0) {
        self.sealed = sealed
        self.control = control
    }

    /// Adds an event.
    package mutating func add(_ eventClass: EventClass, byteCount: Int) {
        if eventClass == .control { control += byteCount } else { sealed += byteCount }
    }

    /// Adds another size.
    package mutating func add(_ other: LogSize) {
        sealed += other.sealed
        control += other.control
    }

    /// Subtracts another size.
    package mutating func subtract(_ other: LogSize) {
        sealed -= other.sealed
        control -= other.control
    }

    /// Adds the events that follow in the log, up to the first that exceeds its author's share.
    /// - Returns: the number of events added.
    package mutating func add(_ events: ArraySlice<Event>, within share: LogShare) -> Int {
        for index in events.indices {
            let eventClass = events[index].header.eventClass
            guard share.hasRoom(for: eventClass, after: self) else { return index - events.startIndex }
            add(eventClass, byteCount: events[index].bytes.count)
        }
        return events.count
    }
}

/// The bytes that one author's log may have. An event is within the share while the earlier events of its kind take
/// less: so the log alone shows whether it is full, whatever its author writes next.
package struct LogShare: Hashable, Sendable {
    /// The share of every author in every tour: all nodes must judge a log alike.
    package static let ofTour = LogShare(sealed: Limits.sealedLogBytesMax, control: Limits.controlLogBytesMax)

    /// The share for ordinary events. The rest of `ofTour` is reserved for governing the tour: removals, ranks, the
    /// ends of codes and of the tour, new codes after these, and the epochs that exclude removed members. Other members
    /// can cause many control events of ours: these never use up what ends that. Only the writer applies this rule;
    /// others accept whatever is within `ofTour`.
    package static let ordinary = LogShare(
        sealed: Limits.sealedLogBytesMax, control: Limits.controlLogBytesMax - Limits.governingLogBytesMin)

    /// The bytes of events of all classes but control.
    package let sealed: Int
    /// The bytes of control events.
    package let control: Int

    package init(sealed: Int, control: Int) {
        self.sealed = sealed
        self.control = control
    }

    /// Whether one more event of this class is within the share of a log of this size.
    package func hasRoom(for eventClass: EventClass, after size: LogSize) -> Bool {
        eventClass == .control ? size.control < control : size.sealed < sealed
    }
}
