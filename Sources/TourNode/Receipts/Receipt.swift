/// What is known of one member and one message. Source: `Protocol/06-replication.md`, "Receipts".
package struct Receipt: Hashable, Sendable {
    package enum State: String, Encodable, Sendable {
        /// The member is not known to have it.
        case missing
        /// It has it.
        case delivered
        /// It has it and has read it.
        case read
    }

    package var state: State
    /// Microseconds since 1970 by this node's clock: the member has it since then or longer. nil when that was
    /// forgotten.
    package var deliveredAtMost: Int64?
    /// The same of reading it.
    package var readAtMost: Int64?

    package init(state: State, deliveredAtMost: Int64? = nil, readAtMost: Int64? = nil) {
        self.state = state
        self.deliveredAtMost = deliveredAtMost
        self.readAtMost = readAtMost
    }

    /// Without times that the clock has not come to: it was set back since.
    package func known(by wall: Int64) -> Receipt {
        func past(_ time: Int64?) -> Int64? { time.flatMap { $0 <= wall ? $0 : nil } }
        return Receipt(state: state, deliveredAtMost: past(deliveredAtMost), readAtMost: past(readAtMost))
    }
}
