import TourCrypto
import TourModel
import TourWire

// What an author's log may take of everybody's disk. Source: `Protocol/05-events.md`, "Share".
extension GossipMachine {
    /// What is accepted of an author's log, and what of that is on its way to the store.
    package func logSize(of author: MemberID) -> LogSize { accepted[author]?.size ?? .zero }

    /// Whether the log takes nothing more of what its author says: the share is used up.
    package func isFull(_ author: MemberID) -> Bool { !share.takes(.chat, after: logSize(of: author)) }

    /// A sound run goes on beyond its author's share: the log ends here for everybody. What is within the share comes
    /// as a run of its own, proven by its own last signature.
    mutating func endShare(of author: MemberID, at last: UInt64, _ now: Instant) {
        shareEnds[author] = min(shareEnds[author] ?? .max, last)
        held[author] = nil
        ahead.removeAll(of: author, behind: last)
        if expected(author) <= last { schedulePull(author, at: now) }
    }

    /// Of a full log nothing waits ahead: what is there can never join it. The store does the same.
    mutating func dropAheadIfFull(_ author: MemberID) {
        guard ahead.holds(of: author), isFull(author), let head = accepted[author] else { return }
        ahead.removeAll(of: author, behind: head.sequence)
    }
}
