import TourModel
import TourStore
import TourWire

/// How far each author's log is known to have come: the source of "sent" and "delivered".
/// Source: `Protocol/06-replication.md`, "Status".
package struct StatusBoard: Sendable {
    /// What each member last said that it has, by the author's prefix.
    private var claims: [MemberID: [UInt64: UInt64]] = [:]
    package private(set) var marks: [MemberID: Watermark]
    /// For a member admitted after an author began: the first sequence that the member must have, as far as known.
    private var firstNeeded: [Pair: Need] = [:]

    private enum Need {
        case from(UInt64)
        /// None up to this sequence.
        case noneThrough(UInt64)
    }

    private struct Pair: Hashable {
        var member: MemberID
        var author: MemberID
    }

    package init(marks: [MemberID: Watermark]) { self.marks = marks }

    /// - Parameter isKnown: whether a prefix is some member's. What a claim says of others is not kept: a member could
    ///   name any number of them.
    package mutating func note(_ claim: FrontierClaim, isKnown: (_ prefix: UInt64) -> Bool) {
        var heads = claims[claim.member] ?? [:]
        for head in claim.heads where isKnown(head.prefix) {
            heads[head.prefix] = max(heads[head.prefix] ?? 0, head.sequence)
        }
        claims[claim.member] = heads
    }

    /// Raises what has risen; nothing ever falls.
    /// - Parameter needed: the first sequence of an author, above a given one, that was written once the member was in;
    ///   nil while there is none.
    /// - Returns: per author the sequences whose status changed, and the marks to keep.
    package mutating func refresh(
        authors: [MemberID: UInt64], members: [MemberID], own: MemberID,
        needed: (_ author: MemberID, _ member: MemberID, _ above: UInt64) -> UInt64?
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        var changes = [(range: ClosedRange<UInt64>, mark: Watermark)]()
        for (author, head) in authors where head > 0 {
            let old = marks[author] ?? Watermark(author: author, sentThrough: 0, deliveredThrough: 0)
            if old.deliveredThrough >= head { continue }
            var sent: UInt64 = author == own ? 0 : head
            var delivered = head
            for member in members where member != author {
                let has = member == own ? head : min(claims[member]?[author.prefix] ?? 0, head)
                sent = max(sent, has)
                guard has < head else { continue }
                guard let first = first(author, member, head, needed) else { continue }
                delivered = min(delivered, max(has + 1, first) - 1)
            }
            var mark = old
            mark.sentThrough = max(old.sentThrough, sent)
            mark.deliveredThrough = max(old.deliveredThrough, min(delivered, mark.sentThrough))
            guard mark != old else { continue }
            marks[author] = mark
            let sentFrom = author == own ? old.sentThrough : mark.sentThrough
            let from = min(
                sentFrom < mark.sentThrough ? sentFrom : .max,
                old.deliveredThrough < mark.deliveredThrough ? old.deliveredThrough : .max)
            let through = max(mark.deliveredThrough, author == own ? mark.sentThrough : 0)
            if from < through { changes.append((from + 1...through, mark)) }
        }
        return changes
    }

    private mutating func first(
        _ author: MemberID, _ member: MemberID, _ head: UInt64,
        _ needed: (_ author: MemberID, _ member: MemberID, _ above: UInt64) -> UInt64?
    ) -> UInt64? {
        let pair = Pair(member: member, author: author)
        var searched: UInt64 = 0
        switch firstNeeded[pair] {
        case .from(let first): return first
        case .noneThrough(let last): searched = last
        case nil: break
        }
        let first = needed(author, member, searched)
        firstNeeded[pair] = first.map(Need.from) ?? .noneThrough(head)
        return first
    }

    package func status(of event: Event, own: MemberID) -> MessageStatus {
        let mark = marks[event.header.author]
        if let mark, event.header.sequence <= mark.deliveredThrough { return .delivered }
        if event.header.author != own { return .sent }
        return event.header.sequence <= mark?.sentThrough ?? 0 ? .sent : .pending
    }
}

/// How far a message is known to have come. A status never goes down.
package enum MessageStatus: String, Encodable, Sendable {
    /// Nobody else has it.
    case pending
    /// One other node has it.
    case sent
    /// All have it who were members when it was written and are still in.
    case delivered
}
