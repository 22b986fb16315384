import TourCrypto
import TourModel
import TourWire

// The share of every member's disk that one author's log may use. Source: `Protocol/05-events.md`, "Share".
extension GossipMachine {
    /// The size of an author's accepted log, events on their way to the store included.
    package func logSize(of author: MemberID) -> LogSize { accepted[author]?.size ?? .zero }

    /// Whether the author's share is used up, so that its log accepts no more chat.
    package func isFull(_ author: MemberID) -> Bool { !share.hasRoom(for: .chat, after: logSize(of: author)) }

    /// A sound run goes beyond its author's share: the log ends here for everybody. The events within the share arrive
    /// as a run of their own, proven by its own last signature.
    mutating func endShare(of author: MemberID, at last: UInt64, _ now: Instant) {
        shareEnds[author] = min(shareEnds[author] ?? .max, last)
        held[author] = nil
        ahead.removeAll(of: author, behind: last)
        if expected(author) <= last { schedulePull(author, at: now) }
    }

    /// A full log keeps no events ahead: they could never join it. The store does the same.
    mutating func dropAheadIfFull(_ author: MemberID) {
        guard ahead.holds(of: author), isFull(author), let head = accepted[author] else { return }
        ahead.removeAll(of: author, behind: head.sequence)
    }
}
