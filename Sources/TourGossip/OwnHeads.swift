import TourModel
import TourWire

/// Which heads this node's rows list. A row is small: it lists what has changed, again and again until a lost row or
/// two do not matter, and now and then as many of the others as fit, in turn. Source: `Protocol/06-replication.md`,
/// "What a row lists".
struct OwnHeads: Sendable {
    /// There was more to say than one row takes.
    private(set) var isCutShort = false
    /// What was listed lately and is listed again.
    private var recent: [MemberID: Listing] = [:]
    /// Listed since the last long row, so that the next one makes the rows between them needless.
    private var sinceLong: Set<MemberID> = []
    private var longDue: Instant?
    /// The last whose turn it was.
    private var last: MemberID?

    private struct Listing: Hashable {
        var rows = 1
        let since: Instant
        /// In how many rows it stands at least, and for how long.
        let repeats: Int
        let time: Duration

        /// It stands in one more row.
        /// - Returns: whether that was the last.
        mutating func stood(_ now: Instant) -> Bool {
            rows += 1
            return rows >= repeats && now - since >= time
        }
    }

    /// What was last said in one hash, and how often: it is said again and again like a change that is listed.
    private var whole: WholeFrontier?
    private var wholeSaid: Listing?

    /// - Parameter said: what our rows list so far, by the author's prefix.
    /// - Parameter urgent: authors who are listed before others.
    /// - Parameter settled: all that has settled, in one hash; it goes along where much has changed.
    /// - Parameter words: how many rows are needed until one of them has come.
    mutating func next(
        of stored: Frontier, said: [UInt64: UInt64], urgent: Set<MemberID>, settled: WholeFrontier?, words: Int,
        _ now: Instant, using rng: inout some RandomNumberGenerator
    ) -> (heads: [PrefixedHead], whole: WholeFrontier?) {
        let isLong = isLongDue(now, &rng)
        let authors = inTurn(stored)
        let unsaid = authors.filter { stored[$0] > said[$0.prefix] ?? 0 }
        let whole = settled.flatMap { unsaid.count > Limits.headsBesideWholeMax || wholeSaid != nil ? $0 : nil }
        let repeats = Limits.claimRepeats + Limits.claimRepeatsPerWord * words
        let isTalk = note(whole, repeats: repeats, now)
        let most = isTalk && !isLong ? Limits.headsBesideWholeMax : Limits.claimHeadsMax
        let inOrder = unsaid.filter(urgent.contains) + unsaid.filter { !urgent.contains($0) }
        var listed = Set(inOrder.prefix(most))
        let waiting = whole == nil ? unsaid.count : unsaid.count { urgent.contains($0) }
        isCutShort = waiting > listed.count
        if unsaid.count > listed.count { last = inOrder[listed.count - 1] }
        listed.fill(from: recent.keys.sorted(), atMost: most)
        if isLong {
            listed.fill(from: sinceLong.sorted(), atMost: most)
            last = listed.fill(from: authors, atMost: most) ?? last
        }
        let change = Listing(since: now, repeats: repeats, time: Limits.claimRepeatTime)
        let changeBesideWhole = Listing(since: now, repeats: words, time: .zero)
        note(listed, now, changed: unsaid) { whole == nil || urgent.contains($0) ? change : changeBesideWhole }
        if isLong { sinceLong = [] } else { sinceLong.formUnion(listed) }
        return (listed.sorted().map { PrefixedHead(prefix: $0.prefix, sequence: stored[$0]) }, whole)
    }

    /// - Returns: whether more is said in one hash than in the last row.
    private mutating func note(_ whole: WholeFrontier?, repeats: Int, _ now: Instant) -> Bool {
        guard let whole else {
            wholeSaid = nil
            return false
        }
        guard var said = wholeSaid, whole == self.whole else {
            self.whole = whole
            wholeSaid = Listing(since: now, repeats: repeats, time: Limits.claimRepeatTime)
            return true
        }
        wholeSaid = said.stood(now) ? nil : said
        return false
    }

    private mutating func isLongDue(_ now: Instant, _ rng: inout some RandomNumberGenerator) -> Bool {
        let interval = Limits.longClaimInterval.microseconds
        guard let due = longDue else {
            // Nodes that start together do not speak together.
            longDue = now + .microseconds(Int64.random(in: 0...interval, using: &rng))
            return false
        }
        guard due <= now else { return false }
        longDue = now + .microseconds(interval - Int64.random(in: 0...interval / 8, using: &rng))
        return true
    }

    private func inTurn(_ stored: Frontier) -> [MemberID] {
        let all = stored.heads.keys.sorted()
        guard let last, let start = all.firstIndex(where: { $0 > last }) else { return all }
        return Array(all[start...] + all[..<start])
    }

    /// - Parameter listing: how often a change is listed.
    private mutating func note(
        _ listed: Set<MemberID>, _ now: Instant, changed: [MemberID], listing: (MemberID) -> Listing
    ) {
        let changed = Set(changed)
        for author in listed {
            if changed.contains(author) {
                let listing = listing(author)
                recent[author] = listing.repeats > 1 ? listing : nil
            } else if var listing = recent[author] {
                recent[author] = listing.stood(now) ? nil : listing
            }
        }
    }
}

extension Set<MemberID> {
    /// Adds as many as a row takes.
    /// - Returns: the last one added.
    @discardableResult
    fileprivate mutating func fill(from others: [MemberID], atMost most: Int) -> MemberID? {
        var last: MemberID?
        for other in others where count < most && insert(other).inserted { last = other }
        return last
    }
}
