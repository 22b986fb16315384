/// How far a message is known to have come. A status never falls.
package enum MessageStatus: String, Encodable, Sendable {
    /// No other node has it.
    case pending
    /// At least one other node has it.
    case sent
    /// Everybody who was a member when it was written, and still is, has it.
    case delivered
    /// Each of them has read it.
    case read
    /// The message does not count: the log ends before it. Final.
    case failed
}
