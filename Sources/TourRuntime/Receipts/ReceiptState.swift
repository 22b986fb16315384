import TourModel
import TourWire

/// How far each author's log is known to have spread, and what each member has and has read of it: the source of
/// statuses and receipts. Source: `Protocol/06-replication.md`, "Status".
package struct ReceiptState: Sendable {
    /// Steps remembered of what one member has: of our own messages, and of every other author's, of whom there may
    /// be a thousand for each of a thousand members.
    private static let ownStepsMax = 32
    private static let otherStepsMax = 4

    /// The newest claims of one member.
    private struct Claimed {
        /// The heads that it has, by the author's prefix.
        var heads: [UInt64: Growth] = [:]
        var reading = ReadPlace()
    }

    private let own: MemberID
    private var claims: [MemberID: Claimed] = [:]
    /// Members whose claims changed since the last `drainUnkept`.
    private var unkept: Set<MemberID> = []
    /// How far each author's messages have each status.
    package private(set) var marks: [MemberID: Watermark]
    /// The marks of earlier runs: the claims behind them may be forgotten, while all claims of this run are remembered.
    private let earlier: [MemberID: Watermark]
    /// Those who are in, by their admissions, and the clock of each.
    private var people: [(member: MemberID, admittedAt: LogicalClock)] = []
    private var admissions: [MemberID: LogicalClock] = [:]
    /// What holds the mark of an author back.
    private var limits: [MemberID: Limit] = [:]
    /// For an author: whoever was admitted at this clock or before must have its log from the first message on.
    private var neededFromFirst: [MemberID: LogicalClock] = [:]
    /// For an author whose next message somebody has not read: its mark rises only once all have read beyond this
    /// clock.
    private var unreadSince: [MemberID: LogicalClock] = [:]
    /// How much of our own log a server has, by its own answer to us.
    private var serverThrough: UInt64 = 0

    /// The first of all members, its clock, and the clock of the next one: older messages had nobody to reach.
    private var beginnings: (member: MemberID?, first: LogicalClock, second: LogicalClock) = (nil, .zero, .zero)

    /// A member who must have more of a log than it has: until it has more, no mark of this author rises, whatever all
    /// others have.
    private struct Limit {
        let member: MemberID
        let admittedAt: LogicalClock
        /// The last sequence before what it lacks.
        let through: UInt64
    }

    /// The first sequence of an author, above a given one, with this clock or a later one; nil while there is none.
    package typealias Search = (_ author: MemberID, _ above: UInt64, _ clock: LogicalClock) -> UInt64?

    package init(own: MemberID, marks: [MemberID: Watermark]) {
        self.own = own
        self.marks = marks
        earlier = marks
    }

    /// Records which events a member has of the logs as they are stored here.
    /// - Parameter heads: of members.
    /// - Parameter time: microseconds since 1970, when the claim arrived.
    package mutating func record(_ heads: [PrefixedHead], of member: MemberID, at time: Int64) {
        let ownPrefix = own.prefix
        for head in heads {
            let stepsMax = head.prefix == ownPrefix ? Self.ownStepsMax : Self.otherStepsMax
            let grew = claims[member, default: Claimed()].heads[head.prefix, default: Growth()].raise(
                to: head.sequence, at: time, stepsMax: stepsMax)
            if grew { unkept.insert(member) }
        }
    }

    /// The newest claim of a member says that it has read up to here, or the user of this node has; the clock falls if
    /// a message arrived late.
    /// - Returns: whether that is news.
    @discardableResult
    package mutating func recordRead(_ clock: LogicalClock, by member: MemberID, at time: Int64) -> Bool {
        let isNews = claims[member, default: Claimed()].reading.record(
            clock.value, at: time, stepsMax: Self.ownStepsMax)
        if isNews { unkept.insert(member) }
        return isNews
    }

    /// A server said that it has our log up to here.
    package mutating func recordServer(through sequence: UInt64) { serverThrough = max(serverThrough, sequence) }

    /// The changes of each member since the last call, for `restore`.
    package mutating func drainUnkept() -> [MemberID: [UInt8]] {
        defer { unkept = [] }
        return unkept.reduce(into: [:]) { kept, member in
            guard let claimed = claims[member] else { return }
            kept[member] = ReceiptKeeping.encoded(heads: claimed.heads, reading: claimed.reading, own: own.prefix)
        }
    }

    /// Restores the knowledge of an earlier run, before anything is recorded. Unreadable entries are left out.
    package mutating func restore(_ kept: [MemberID: [UInt8]]) {
        for (member, bytes) in kept {
            guard let (heads, reading) = ReceiptKeeping.decoded(bytes) else { continue }
            claims[member] = Claimed(heads: heads, reading: reading)
        }
    }

    /// Everybody who is or was a member, with the clock of each admission, and which of them are waited for.
    package mutating func recordMembers(_ everybody: [MemberID: LogicalClock], people: Set<MemberID>) {
        admissions = everybody.filter { people.contains($0.key) }
        self.people = admissions.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) }
        var known: (member: MemberID?, first: LogicalClock, second: LogicalClock)
        known = (nil, LogicalClock(value: .max), LogicalClock(value: .max))
        for (member, clock) in everybody {
            if clock < known.first {
                known = (member, clock, known.first)
            } else {
                known.second = min(known.second, clock)
            }
        }
        beginnings = known
    }

    /// How far everybody has our own log.
    var delivered: UInt64 { marks[own]?.deliveredThrough ?? 0 }

    /// Whether somebody else was a member when the event was written: "all" of nobody means nothing.
    private func hadReaders(_ header: EventHeader) -> Bool {
        header.clock >= (header.author == beginnings.member ? beginnings.second : beginnings.first)
    }

    /// Raises the marks that have risen; a mark never falls. Another author of whom there is no news costs no search,
    /// and no look at all members; our own log costs one of each while nobody has it.
    /// - Returns: per author the sequences whose status changed, and the marks to store.
    package mutating func refresh(
        authors: [MemberID: UInt64], first: Search
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        var changes = [(range: ClosedRange<UInt64>, mark: Watermark)]()
        let unread = unread()
        for (author, head) in authors where head > 0 {
            let old = marks[author] ?? Watermark(author: author)
            guard old.readThrough < head else { continue }
            var mark = old
            if mark.deliveredThrough < head { raiseDelivered(&mark, head, first) }
            if mark.readThrough < mark.deliveredThrough {
                raiseRead(&mark, before: author == unread.member ? unread.second : unread.least, first)
            }
            guard mark != old else { continue }
            marks[author] = mark
            if let range = shown(old, mark) { changes.append((range, mark)) }
        }
        return changes
    }

    private mutating func raiseDelivered(_ mark: inout Watermark, _ head: UInt64, _ first: Search) {
        let author = mark.author
        mark.sentThrough = max(mark.sentThrough, author == own ? sent(through: head) : head)
        if !stands(limits[author], of: author) { limits[author] = limit(author, head, first) }
        let delivered = min(limits[author]?.through ?? head, mark.sentThrough)
        mark.deliveredThrough = max(mark.deliveredThrough, delivered)
    }

    /// How much of our own log somebody has.
    private func sent(through head: UInt64) -> UInt64 {
        let others = people.lazy.filter { $0.member != own }.map { held(by: $0.member, of: own, head) }
        return max(min(serverThrough, head), others.max() ?? 0)
    }

    private func held(by member: MemberID, of author: MemberID, _ head: UInt64) -> UInt64 {
        member == own ? head : min(claims[member]?.heads[author.prefix]?.value ?? 0, head)
    }

    /// Whether the member still lacks what it lacked, and must have it.
    private func stands(_ limit: Limit?, of author: MemberID) -> Bool {
        guard let limit, admissions[limit.member] == limit.admittedAt else { return false }
        return held(by: limit.member, of: author, .max) <= limit.through
    }

    /// The member who has least of what it must have of this log; nil when all have all that they must have.
    ///
    /// The later a member was admitted, the later is the first message that it must have. So one search says something
    /// about all later members too, and only a member who lowers the result is searched for: of any number who have
    /// nothing, the first.
    private mutating func limit(_ author: MemberID, _ head: UInt64, _ first: Search) -> Limit? {
        var (result, least) = (Limit?.none, head)
        // What everybody from here on need not have.
        var spared: UInt64 = 0
        for (member, admittedAt) in people where member != author {
            let has = held(by: member, of: author, head)
            guard max(has, spared) < least else { continue }
            if admittedAt > neededFromFirst[author] ?? .zero {
                guard let needed = first(author, spared, admittedAt) else { break }
                if needed == 1 { neededFromFirst[author] = admittedAt }
                spared = needed - 1
            }
            guard max(has, spared) < least else { continue }
            least = max(has, spared)
            result = Limit(member: member, admittedAt: admittedAt, through: least)
        }
        return result
    }

    /// The earliest clock that somebody still has to read; which member, and the earliest of all others.
    private func unread() -> (member: MemberID?, least: LogicalClock, second: LogicalClock) {
        var result: (member: MemberID?, least: LogicalClock, second: LogicalClock)
        result = (nil, LogicalClock(value: .max), LogicalClock(value: .max))
        for (member, admittedAt) in people {
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
        // Messages of others are "sent" from the start: we have them.
        if new.author == own { stretches.append((from: old.sentThrough, through: new.sentThrough)) }
        let grown = stretches.filter { $0.from < $0.through }
        guard let from = grown.map({ $0.from }).min(), let through = grown.map({ $0.through }).max() else { return nil }
        return from + 1...through
    }

    /// How far the event is known to have come.
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

    /// - Parameter storedAt: when the event was stored here, microseconds since 1970.
    package func receipt(of header: EventHeader, for member: MemberID, storedAt: Int64) -> Receipt {
        let mark = marks[header.author] ?? Watermark(author: header.author)
        let claimed = claims[member]
        let has = member == own ? storedAt : claimed?.heads[header.author.prefix]?.time(of: header.sequence)
        // The marks outlive a restart; a member's claims do so only as far as its newest row goes. The marks of this
        // run say nothing that the claims do not, and nothing of a member who became known after they had risen.
        let restored = earlier[header.author]?.deliveredThrough ?? 0
        guard has != nil || header.sequence <= restored else { return Receipt(state: .missing) }
        let seen = claimed?.reading.time(of: header.clock.value, deliveredAt: has)
        guard seen != nil || header.sequence <= mark.readThrough else {
            return Receipt(state: .delivered, deliveredAtMost: has)
        }
        // Only a message that the member has counts as read: both must have been true.
        let read = has.flatMap { has in seen.map { max(has, $0) } }
        return Receipt(state: .read, deliveredAtMost: has, readAtMost: read)
    }
}
