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
        var rows: Int
        var since: Instant
    }

    /// What was last said in one hash, and how often: it is said again and again like a change that is listed.
    private var whole: WholeFrontier?
    private var wholeSaid: Listing?

    /// - Parameter said: what our rows list so far, by the author's prefix.
    /// - Parameter urgent: authors who are listed before others.
    /// - Parameter settled: all that has settled, in one hash; it goes along where much has changed.
    /// - Parameter repeats: in how many rows a change is listed at least.
    mutating func next(
        of stored: Frontier, said: [UInt64: UInt64], urgent: Set<MemberID>, settled: WholeFrontier?, repeats: Int,
        _ now: Instant, using rng: inout some RandomNumberGenerator
    ) -> (heads: [PrefixedHead], whole: WholeFrontier?) {
        let isLong = isLongDue(now, &rng)
        let authors = inTurn(stored)
        let unsaid = authors.filter { stored[$0] > said[$0.prefix] ?? 0 }
        let whole = settled.flatMap { unsaid.count > Limits.headsBesideWholeMax || wholeSaid != nil ? $0 : nil }
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
        let isRepeated = { (author: MemberID) in whole == nil || urgent.contains(author) }
        note(listed, unsaid: Set(unsaid.filter(isRepeated)), repeats: repeats, now)
        if isLong { sinceLong = [] } else { sinceLong.formUnion(listed) }
        return (listed.sorted().map { PrefixedHead(prefix: $0.prefix, sequence: stored[$0]) }, whole)
    }

    /// - Returns: whether more is said in one hash than in the last row.
    private mutating func note(_ whole: WholeFrontier?, repeats: Int, _ now: Instant) -> Bool {
        guard let whole else {
            wholeSaid = nil
            return false
        }
        guard let said = wholeSaid, whole == self.whole else {
            self.whole = whole
            wholeSaid = Listing(rows: 1, since: now)
            return true
        }
        let isKnown = said.rows + 1 >= repeats && now - said.since >= Limits.claimRepeatTime
        wholeSaid = isKnown ? nil : Listing(rows: said.rows + 1, since: said.since)
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

    private mutating func note(_ listed: Set<MemberID>, unsaid: Set<MemberID>, repeats: Int, _ now: Instant) {
        for author in listed {
            if unsaid.contains(author) {
                recent[author] = Listing(rows: 1, since: now)
            } else if let listing = recent[author] {
                let isKnown = listing.rows + 1 >= repeats && now - listing.since >= Limits.claimRepeatTime
                recent[author] = isKnown ? nil : Listing(rows: listing.rows + 1, since: listing.since)
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
