import TourModel

/// A place in the tour's order, the same on every node; or one in a listing, where a message with a wrong clock stands
/// where it arrived. Source: `Protocol/05-events.md`, "Time".
package struct MessagePosition: Hashable, Comparable, Sendable {
    /// Compared first: the clock, or that of the message's arrival.
    package let place: LogicalClock
    /// Compared second.
    package let clock: LogicalClock
    /// Compared third, by its bytes.
    package let author: MemberID
    /// Compared last.
    package let sequence: UInt64

    package init(place: LogicalClock, clock: LogicalClock, author: MemberID, sequence: UInt64) {
        self.place = place
        self.clock = clock
        self.author = author
        self.sequence = sequence
    }

    package static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        (left.place, left.clock, left.author, left.sequence)
            < (right.place, right.clock, right.author, right.sequence)
    }

    /// The position of this event in the tour's order.
    package init(_ event: Event) {
        let header = event.header
        self.init(place: header.clock, clock: header.clock, author: header.author, sequence: header.sequence)
    }

    /// The position of this message in a listing by place.
    package init(_ stored: StoredEvent) {
        let header = stored.event.header
        self.init(place: stored.place, clock: header.clock, author: header.author, sequence: header.sequence)
    }

    /// Behind every message with this clock.
    package static func end(of clock: LogicalClock) -> MessagePosition {
        MessagePosition(
            place: clock, clock: LogicalClock(value: .max), author: MemberID(raw: .greatest), sequence: .max)
    }

    /// Before every message with this clock.
    package static func start(of clock: LogicalClock) -> MessagePosition {
        MessagePosition(place: clock, clock: .zero, author: MemberID(raw: .zero), sequence: 0)
    }
}

extension Bytes32 {
    /// Thirty-two bytes of 255. The fallback never applies: the count is right.
    fileprivate static var greatest: Bytes32 { Bytes32(repeatElement(UInt8.max, count: count)) ?? .zero }
}

/// The messages to list. Control and profile events are no messages, and never listed.
package struct MessageQuery: Hashable, Sendable {
    /// An order of messages.
    package enum Order: Hashable, Sendable {
        /// As people see them: a message with a clock that is not to be believed stands where it arrived.
        case place
        /// The tour's order, the same on every node. For announcements alone, of which the latest counts.
        case clock
    }

    /// Lists messages behind this position, exclusive.
    package var afterPosition: MessagePosition?
    /// Lists messages before this position, exclusive.
    package var beforePosition: MessagePosition?
    /// The most messages to list; nil for all.
    package var limit: Int?
    /// With a limit: whether to list the last messages instead of the first. They are still in the tour's order.
    package var last: Bool
    /// The classes to list; nil for every class that is a message.
    package var classes: Set<EventClass>?
    /// Leaves out messages that arrived after this row; nil for none.
    package var throughRow: Int64?
    /// Leaves out one author: our own messages are never unread.
    package var excludedAuthor: MemberID?
    /// Whether to list only messages not displayed yet; this includes our own, which are never marked.
    package var isUnseen = false
    /// In which order messages are listed.
    package var order = Order.place
    /// Leaves out events behind these places in their authors' logs.
    package var ends: [MemberID: UInt64]

    /// Continues behind the last message found, or before the first where the last ones are listed.
    /// - Throws: `damaged` for an event whose position differs from its row: the listing would repeat it for ever.
    package mutating func goOn(from end: StoredEvent) throws(StoreError) {
        let position = order == .clock ? MessagePosition(end.event) : MessagePosition(end)
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
