/// What the events of one log take of their author's share of a tour: their exact bytes, control events by themselves.
/// Source: `Protocol/05-events.md`, "Share".
package struct LogSize: Hashable, Sendable {
    package static let zero = LogSize()

    /// Bytes of the events of all classes but control.
    package private(set) var sealed: Int
    /// Bytes of the control events.
    package private(set) var control: Int

    package init(sealed: Int = 0, control: Int = 0) {
        self.sealed = sealed
        self.control = control
    }

    package mutating func add(_ eventClass: EventClass, byteCount: Int) {
        if eventClass == .control { control += byteCount } else { sealed += byteCount }
    }

    package mutating func add(_ other: LogSize) {
        sealed += other.sealed
        control += other.control
    }

    package mutating func subtract(_ other: LogSize) {
        sealed -= other.sealed
        control -= other.control
    }

    /// Adds the events that follow in the log, up to the first that its author's share does not take.
    /// - Returns: how many were added.
    package mutating func add(_ events: ArraySlice<Event>, within share: LogShare) -> Int {
        for index in events.indices {
            let eventClass = events[index].header.eventClass
            guard share.takes(eventClass, after: self) else { return index - events.startIndex }
            add(eventClass, byteCount: events[index].bytes.count)
        }
        return events.count
    }
}

/// What one author's log may take in all. An event is within the share while the events of its kind before it take
/// less: so the log alone says whether it is full, whatever its author would write next.
package struct LogShare: Hashable, Sendable {
    /// The same for everybody in every tour: all nodes must judge a log alike.
    package static let ofTour = LogShare(sealed: Limits.sealedLogBytesMax, control: Limits.controlLogBytesMax)

    /// What is left of it when this much of it is used up is for what governs the tour: removals, ranks, the ends of
    /// codes and of the tour, new codes behind them, and the epochs that shut out who was removed. Others cause control
    /// events of ours, and may cause many: they never use up what ends that. A rule for what one writes; others take
    /// what is within `ofTour`.
    package static let ordinary = LogShare(
        sealed: Limits.sealedLogBytesMax, control: Limits.controlLogBytesMax - Limits.governingLogBytesMin)

    package let sealed: Int
    package let control: Int

    package init(sealed: Int, control: Int) {
        self.sealed = sealed
        self.control = control
    }

    /// Whether one more event of this class is within the share of a log of this size.
    package func takes(_ eventClass: EventClass, after size: LogSize) -> Bool {
        eventClass == .control ? size.control < control : size.sealed < sealed
    }
}
