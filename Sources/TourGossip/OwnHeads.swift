import TourModel
import TourWire

/// The heads that this node's rows list, besides the hash that covers all of them. A row is small: it lists recent
/// changes if they are few, repeats them until one or two lost rows do not matter, and now and then lists as many of
/// the other heads as fit, in turn. Source: `Protocol/06-replication.md`, "What a row lists".
struct OwnHeads: Sendable {
    /// The least number of rows that list a change, plus so many for each extra copy in which runs are sent; then the
    /// least time, so long that in the end links carry the change to members whom datagrams no longer reach.
    static let repeats = 2
    static let repeatsPerWord = 2
    private static let repeatTime = Limits.voiceLifetime
    /// The most heads in one row: it fits a datagram.
    static let listedMax = 48
    /// The most changed heads that a row lists besides its hash.
    private static let besideWholeMax = 8
    /// The interval at which a row lists more of the heads than those that changed.
    private static let longInterval: Duration = .seconds(300)

    /// Which heads the last row left out of both list and hash.
    private(set) var rest = Rest.none
    /// Heads listed lately that are listed again.
    private var recent: [MemberID: Listing] = [:]
    /// Authors listed since the last long row, so that the next long row makes the rows between needless.
    private var sinceLong: Set<MemberID> = []
    private var longDue: Instant?
    /// The last author of the current turn.
    private var last: MemberID?

    enum Rest: Hashable {
        case none
        /// Heads that the next regular row can list.
        case someHeads
        /// An announcement, or more heads than one list holds where there is no hash.
        case pressing
    }

    private struct Listing: Hashable {
        var rows: Int
        var since: Instant
    }

    /// - Parameter said: the heads that our rows state so far, by the author's prefix.
    /// - Parameter urgent: authors that are listed before others.
    /// - Parameter settled: the heads that the row's hash covers; nil if it has none.
    /// - Parameter repeats: the least number of rows that list a change.
    mutating func next(
        of stored: [MemberID: KnownHead], said: [UInt64: UInt64], urgent: Set<MemberID>,
        settled: [MemberID: UInt64]?, repeats: Int, _ now: Instant, using rng: inout some RandomNumberGenerator
    ) -> [KnownHead] {
        let isLong = isLongDue(now, &rng)
        let authors = inTurn(stored)
        let unsaid = authors.filter { stored[$0]?.sequence ?? 0 > said[$0.prefix] ?? 0 }
        // The hash states many changes at once, and lists follow with the long rows.
        let isBusy = settled != nil && unsaid.count > Self.besideWholeMax
        let most = isBusy && !isLong ? Self.besideWholeMax : Self.listedMax
        let inOrder = unsaid.filter(urgent.contains) + unsaid.filter { !urgent.contains($0) }
        var listed = Set(inOrder.prefix(most))
        if unsaid.count > listed.count { last = inOrder[listed.count - 1] }
        recordRest(unsaid.filter { !listed.contains($0) }, of: stored, urgent: urgent, settled: settled)
        listed.fill(from: recent.keys.sorted(), atMost: most)
        if isLong {
            listed.fill(from: sinceLong.sorted(), atMost: most)
            last = listed.fill(from: authors, atMost: most) ?? last
        }
        let repeated = isBusy ? unsaid.filter(urgent.contains) : unsaid
        recordListed(listed, unsaid: Set(repeated), repeats: repeats, now)
        if isLong { sinceLong = [] } else { sinceLong.formUnion(listed) }
        return listed.sorted().compactMap { stored[$0] }
    }

    private mutating func recordRest(
        _ unlisted: [MemberID], of stored: [MemberID: KnownHead], urgent: Set<MemberID>, settled: [MemberID: UInt64]?
    ) {
        let left = unlisted.filter { settled?[$0] ?? 0 < stored[$0]?.sequence ?? 0 }
        let isPressing = settled == nil || left.contains(where: urgent.contains)
        rest = left.isEmpty ? .none : isPressing ? .pressing : .someHeads
    }

    private mutating func isLongDue(_ now: Instant, _ rng: inout some RandomNumberGenerator) -> Bool {
        let interval = Self.longInterval.microseconds
        guard let due = longDue else {
            // Nodes that start together must not send together.
            longDue = now + .microseconds(Int64.random(in: 0...interval, using: &rng))
            return false
        }
        guard due <= now else { return false }
        longDue = now + .microseconds(interval - Int64.random(in: 0...interval / 8, using: &rng))
        return true
    }

    private func inTurn(_ stored: [MemberID: KnownHead]) -> [MemberID] {
        let all = stored.keys.sorted()
        guard let last, let start = all.firstIndex(where: { $0 > last }) else { return all }
        return Array(all[start...] + all[..<start])
    }

    private mutating func recordListed(_ listed: Set<MemberID>, unsaid: Set<MemberID>, repeats: Int, _ now: Instant) {
        for author in listed {
            if unsaid.contains(author) {
                recent[author] = Listing(rows: 1, since: now)
            } else if let listing = recent[author] {
                let isKnown = listing.rows + 1 >= repeats && now - listing.since >= Self.repeatTime
                recent[author] = isKnown ? nil : Listing(rows: listing.rows + 1, since: listing.since)
            }
        }
    }
}

extension Set<MemberID> {
    /// Adds as many as a row holds.
    /// - Returns: the last one added.
    @discardableResult
    fileprivate mutating func fill(from others: [MemberID], atMost most: Int) -> MemberID? {
        var last: MemberID?
        for other in others where count < most && insert(other).inserted { last = other }
        return last
    }
}
