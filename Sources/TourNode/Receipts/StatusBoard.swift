import TourModel
import TourStore
import TourWire

/// How far each author's log is known to have come, and what each member has and has read of it: the source of the
/// statuses and of receipts. Source: `Protocol/06-replication.md`, "Status".
package struct StatusBoard: Sendable {
    /// Steps remembered of what one member has: of our own messages, and of each other author's, of whom there may be
    /// a thousand for each of a thousand members.
    private static let ownStepsMax = 32
    private static let otherStepsMax = 4

    /// What one member last said.
    private struct Claimed {
        /// What it has, by the author's prefix.
        var heads: [UInt64: Growth] = [:]
        var reading = ReadPlace()
    }

    private let own: MemberID
    private var claims: [MemberID: Claimed] = [:]
    /// Whose claims said something since they were taken to be kept.
    private var unkept: Set<MemberID> = []
    package private(set) var marks: [MemberID: Watermark]
    /// For a member admitted after an author began: the first sequence that the member must have, as far as known.
    private var firstNeeded: [Pair: Need] = [:]
    /// Of an author whose next message somebody has not read: nothing rises until all have read beyond this clock.
    private var unreadSince: [MemberID: LogicalClock] = [:]
    /// What a server has of our own log, by its own answer to us.
    private var serverThrough: UInt64 = 0

    /// Who came first of all members, when, and when the next one came: what is older had nobody to reach.
    private var beginnings: (member: MemberID?, first: LogicalClock, second: LogicalClock) = (nil, .zero, .zero)

    private enum Need {
        case from(UInt64)
        /// None up to this sequence.
        case noneThrough(UInt64)
    }

    private struct Pair: Hashable {
        var member: MemberID
        var author: MemberID
    }

    /// The first sequence of an author, above a given one, with this clock or a later one; nil while there is none.
    package typealias Search = (_ author: MemberID, _ above: UInt64, _ clock: LogicalClock) -> UInt64?

    package init(own: MemberID, marks: [MemberID: Watermark]) {
        self.own = own
        self.marks = marks
    }

    /// - Parameter time: microseconds since 1970, when the claim came.
    /// - Parameter isNewest: whether the member made no claim after this one: how far it has read only the newest says.
    /// - Parameter isKnown: whether a prefix is some member's. What a claim says of others is not kept: a member could
    ///   name any number of them.
    package mutating func note(
        _ claim: FrontierClaim, at time: Int64, isNewest: Bool = true, isKnown: (_ prefix: UInt64) -> Bool
    ) {
        let ownPrefix = own.prefix
        for head in claim.heads where isKnown(head.prefix) {
            let stepsMax = head.prefix == ownPrefix ? Self.ownStepsMax : Self.otherStepsMax
            let grew = claims[claim.member, default: Claimed()].heads[head.prefix, default: Growth()].raise(
                to: head.sequence, at: time, stepsMax: stepsMax)
            if grew { unkept.insert(claim.member) }
        }
        if isNewest, let clock = claim.readThrough { noteRead(of: claim.member, clock, at: time) }
    }

    /// The user of this node has read so far; less far than before, if something came late.
    package mutating func noteRead(_ clock: LogicalClock, at time: Int64) { noteRead(of: own, clock, at: time) }

    /// A server said that it has our log up to here.
    package mutating func noteServer(through sequence: UInt64) { serverThrough = max(serverThrough, sequence) }

    private mutating func noteRead(of member: MemberID, _ clock: LogicalClock, at time: Int64) {
        if claims[member, default: Claimed()].reading.note(clock.value, at: time, stepsMax: Self.ownStepsMax) {
            unkept.insert(member)
        }
    }

    /// What changed of each member since it was taken last, for `restore`.
    package mutating func takeUnkept() -> [MemberID: [UInt8]] {
        defer { unkept = [] }
        return unkept.reduce(into: [:]) { kept, member in
            guard let claimed = claims[member] else { return }
            kept[member] = ReceiptKeeping.encoded(heads: claimed.heads, reading: claimed.reading, own: own.prefix)
        }
    }

    /// Takes back what an earlier run knew, before anything is noted. What cannot be read is left out.
    package mutating func restore(_ kept: [MemberID: [UInt8]]) {
        for (member, bytes) in kept {
            guard let (heads, reading) = ReceiptKeeping.decoded(bytes) else { continue }
            claims[member] = Claimed(heads: heads, reading: reading)
        }
    }

    /// Everybody who is or was in, and the clock of the event that let each in.
    package mutating func noteMembers(_ admissions: [MemberID: LogicalClock]) {
        var known: (member: MemberID?, first: LogicalClock, second: LogicalClock)
        known = (nil, LogicalClock(value: .max), LogicalClock(value: .max))
        for (member, clock) in admissions {
            if clock < known.first {
                known = (member, clock, known.first)
            } else {
                known.second = min(known.second, clock)
            }
        }
        beginnings = known
    }

    /// Whether somebody else was a member when it was written: "all" of nobody says nothing.
    private func hadReaders(_ header: EventHeader) -> Bool {
        header.clock >= (header.author == beginnings.member ? beginnings.second : beginnings.first)
    }

    /// Raises what has risen; nothing ever falls.
    /// - Parameter members: who is in, and the clock of the event that let each in.
    /// - Returns: per author the sequences whose status changed, and the marks to keep.
    package mutating func refresh(
        authors: [MemberID: UInt64], members: [MemberID: LogicalClock], first: Search
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        var changes = [(range: ClosedRange<UInt64>, mark: Watermark)]()
        let unread = unread(members)
        for (author, head) in authors where head > 0 {
            let old = marks[author] ?? Watermark(author: author)
            guard old.readThrough < head else { continue }
            var mark = old
            if mark.deliveredThrough < head { raiseDelivered(&mark, head, members, first) }
            if mark.readThrough < mark.deliveredThrough {
                raiseRead(&mark, before: author == unread.member ? unread.second : unread.least, first)
            }
            guard mark != old else { continue }
            marks[author] = mark
            if let range = shown(old, mark) { changes.append((range, mark)) }
        }
        return changes
    }

    private mutating func raiseDelivered(
        _ mark: inout Watermark, _ head: UInt64, _ members: [MemberID: LogicalClock], _ first: Search
    ) {
        let author = mark.author
        let prefix = author.prefix
        var sent: UInt64 = author == own ? min(serverThrough, head) : head
        var delivered = head
        for (member, admittedAt) in members where member != author {
            let has = member == own ? head : min(claims[member]?.heads[prefix]?.value ?? 0, head)
            sent = max(sent, has)
            guard has < head, let needed = needed(author, member, admittedAt, head, first) else { continue }
            delivered = min(delivered, max(has + 1, needed) - 1)
        }
        mark.sentThrough = max(mark.sentThrough, sent)
        mark.deliveredThrough = max(mark.deliveredThrough, min(delivered, mark.sentThrough))
    }

    private mutating func needed(
        _ author: MemberID, _ member: MemberID, _ admittedAt: LogicalClock, _ head: UInt64, _ first: Search
    ) -> UInt64? {
        let pair = Pair(member: member, author: author)
        var searched: UInt64 = 0
        switch firstNeeded[pair] {
        case .from(let needed): return needed
        case .noneThrough(let last): searched = last
        case nil: break
        }
        let needed = first(author, searched, admittedAt)
        firstNeeded[pair] = needed.map(Need.from) ?? .noneThrough(head)
        return needed
    }

    /// The earliest clock that somebody must have read and has not; whose that is, and the earliest of all others.
    private func unread(
        _ members: [MemberID: LogicalClock]
    ) -> (member: MemberID?, least: LogicalClock, second: LogicalClock) {
        var result: (member: MemberID?, least: LogicalClock, second: LogicalClock)
        result = (nil, LogicalClock(value: .max), LogicalClock(value: .max))
        for (member, admittedAt) in members {
            let read = claims[member]?.reading.clock ?? 0
            let clock = max(admittedAt, LogicalClock(value: read == .max ? read : read + 1))
            if clock < result.least {
                result = (member, clock, result.least)
            } else {
                result.second = min(result.second, clock)
            }
        }
        return result
    }

    private mutating func raiseRead(_ mark: inout Watermark, before clock: LogicalClock, _ first: Search) {
        if let since = unreadSince[mark.author], clock <= since { return }
        let unread = first(mark.author, mark.readThrough, clock) ?? .max
        mark.readThrough = max(mark.readThrough, min(mark.deliveredThrough, unread - 1))
        unreadSince[mark.author] = unread <= mark.deliveredThrough ? clock : nil
    }

    private func shown(_ old: Watermark, _ new: Watermark) -> ClosedRange<UInt64>? {
        var stretches = [
            (from: old.deliveredThrough, through: new.deliveredThrough),
            (from: old.readThrough, through: new.readThrough),
        ]
        // What others wrote is "sent" from the start: we have it.
        if new.author == own { stretches.append((from: old.sentThrough, through: new.sentThrough)) }
        let grown = stretches.filter { $0.from < $0.through }
        guard let from = grown.map({ $0.from }).min(), let through = grown.map({ $0.through }).max() else { return nil }
        return from + 1...through
    }

    package func status(of event: Event) -> MessageStatus {
        let header = event.header
        let mark = marks[header.author] ?? Watermark(author: header.author)
        if hadReaders(header) {
            if header.sequence <= mark.readThrough { return .read }
            if header.sequence <= mark.deliveredThrough { return .delivered }
        }
        if header.author != own { return .sent }
        return header.sequence <= mark.sentThrough ? .sent : .pending
    }

    /// - Parameter storedAt: when the event came here, microseconds since 1970.
    package func receipt(of header: EventHeader, for member: MemberID, storedAt: Int64) -> Receipt {
        let mark = marks[header.author] ?? Watermark(author: header.author)
        let claimed = claims[member]
        let has = member == own ? storedAt : claimed?.heads[header.author.prefix]?.time(of: header.sequence)
        // The marks outlive a restart, what each member said only as far as its newest row goes.
        guard has != nil || header.sequence <= mark.deliveredThrough else { return Receipt(state: .missing) }
        let seen = claimed?.reading.time(of: header.clock.value, deliveredAt: has)
        guard seen != nil || header.sequence <= mark.readThrough else {
            return Receipt(state: .delivered, deliveredAtMost: has)
        }
        // Read is what it has: both must have been true.
        let read = has.flatMap { has in seen.map { max(has, $0) } }
        return Receipt(state: .read, deliveredAtMost: has, readAtMost: read)
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
    /// All of them have read it.
    case read
    /// It does not count: the log ends before it. Final.
    case failed
}
