import TourModel

/// A place in the tour's order, the same on every node. Source: `Protocol/05-events.md`, "Time".
package struct MessagePosition: Hashable, Comparable, Sendable {
    /// Compared first.
    package let clock: LogicalClock
    /// Compared second, by its bytes.
    package let author: MemberID
    /// Compared last.
    package let sequence: UInt64

    package init(clock: LogicalClock, author: MemberID, sequence: UInt64) {
        self.clock = clock
        self.author = author
        self.sequence = sequence
    }

    package static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        (left.clock, left.author, left.sequence) < (right.clock, right.author, right.sequence)
    }

    /// Where this event stands.
    package init(_ event: Event) {
        self.init(clock: event.header.clock, author: event.header.author, sequence: event.header.sequence)
    }

    /// Behind every message with this reading.
    package static func end(of clock: LogicalClock) -> MessagePosition {
        MessagePosition(clock: clock, author: MemberID(raw: .greatest), sequence: .max)
    }

    /// Before every message with this reading.
    package static func start(of clock: LogicalClock) -> MessagePosition {
        MessagePosition(clock: clock, author: MemberID(raw: .zero), sequence: 0)
    }
}

extension Bytes32 {
    /// Thirty-two times 255. The fallback is never taken: the count is right.
    fileprivate static var greatest: Bytes32 { Bytes32(repeatElement(UInt8.max, count: count)) ?? .zero }
}

/// Which messages to list. Control and profile events are no messages: they are never listed.
package struct MessageQuery: Hashable, Sendable {
    /// Exclusive.
    package var afterPosition: MessagePosition?
    /// Exclusive.
    package var beforePosition: MessagePosition?
    /// At most so many; nil for all.
    package var limit: Int?
    /// With a limit: the last ones rather than the first. They still come in the tour's order.
    package var last: Bool
    /// nil for every class that is a message.
    package var classes: Set<EventClass>?
    /// Leaves out what arrived after this row; nil for none.
    package var throughRow: Int64?
    /// Leaves one author out: our own messages are never unread.
    package var excludedAuthor: MemberID?
    /// Only what was not displayed yet; our own messages are among it, as they are never marked.
    package var isUnseen = false
    /// Leaves out what stands in these authors' logs behind these places.
    package var ends: [MemberID: UInt64]

    /// Goes on behind the last that was found, or before the first where the last ones are asked for.
    /// - Throws: `damaged` for an event that stands elsewhere than its row says: it would come again, without end.
    package mutating func goOn(from end: Event) throws(StoreError) {
        let position = MessagePosition(end)
        if last {
            if let before = beforePosition, position >= before { throw .damaged(.database) }
            beforePosition = position
        } else {
            if let after = afterPosition, position <= after { throw .damaged(.database) }
            afterPosition = position
        }
    }

    package init(
        afterPosition: MessagePosition? = nil, beforePosition: MessagePosition? = nil, limit: Int? = nil,
        last: Bool = false, classes: Set<EventClass>? = nil, excludedAuthor: MemberID? = nil,
        ends: [MemberID: UInt64] = [:]
    ) {
        self.afterPosition = afterPosition
        self.beforePosition = beforePosition
        self.limit = limit
        self.last = last
        self.classes = classes
        self.excludedAuthor = excludedAuthor
        self.ends = ends
    }
}
