/// How far one message has come to one member. Source: `Protocol/06-replication.md`, "Receipts".
package struct Receipt: Hashable, Sendable {
    /// How far the message has come to the member.
    package enum State: String, Encodable, Sendable {
        /// The member is not known to have the message.
        case missing
        /// The member has the message.
        case delivered
        /// The member has the message and has read it.
        case read
    }

    package var state: State
    /// Microseconds since 1970 by this node's clock: the member has had the message since then or longer. nil when
    /// the time was forgotten.
    package var deliveredAtMost: Int64?
    /// The same for reading it.
    package var readAtMost: Int64?

    package init(state: State, deliveredAtMost: Int64? = nil, readAtMost: Int64? = nil) {
        self.state = state
        self.deliveredAtMost = deliveredAtMost
        self.readAtMost = readAtMost
    }

    /// Drops times that the clock has not reached: it was set back since.
    package func known(by wall: Int64) -> Receipt {
        func past(_ time: Int64?) -> Int64? { time.flatMap { $0 <= wall ? $0 : nil } }
        return Receipt(state: state, deliveredAtMost: past(deliveredAtMost), readAtMost: past(readAtMost))
    }
}
