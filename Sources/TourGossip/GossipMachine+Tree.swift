import TourModel
import TourWire

/// Where something came from first: an author's event by its sequence, or a member's row by its counter.
struct FirstArrival: Hashable, Sendable {
    let number: UInt64
    let origin: Origin
    let at: Instant
}

/// Who writes much at once: of all whose events links brought lately the first by id.
struct Burst: Hashable, Sendable {
    let author: MemberID
    /// When the last of its events came.
    var at: Instant
    /// Of its events.
    var count = 0

    /// Whether its duplicates show which links are too many: once so much came of it that all know who it is.
    func decides(_ now: Instant) -> Bool { count >= Limits.burstEventsMin && now - at < Limits.duplicateTime }
}

// The tree of links on which live events go out. Source: `Protocol/06-replication.md`, "Push".
extension GossipMachine {
    /// A push came that we had: its link is too many. But what two authors write at the same time comes twice at
    /// different places of one circle, and with both links gone the tree would have a hole. So only what one member
    /// says decides, the same for all; unless it came first on a segment, which holes in the tree do not matter to.
    mutating func cameTwice(
        _ author: MemberID, _ number: UInt64, _ origin: Origin, _ now: Instant, _ outputs: inout [Output]
    ) {
        guard let link = origin.link else { return }
        // It did not hear that it is not to push, or a graft of ours came after that.
        if links[link]?.peerIsEager == false { return prune(link, now, &outputs) }
        guard let first = arrivals[author] else { return }
        let decider = decider(now)
        // Much at once comes in other pieces on other links, but all of it by the same.
        let isOfBurst = author == burst?.author && author == decider
        guard first.number == number || isOfBurst && number < first.number else { return }
        if case .air = first.origin { return prune(link, now, &outputs) }
        if author == decider, isOtherWay(first, link) { prune(link, now, &outputs) }
    }

    /// Where datagrams carry what is said now and then, nothing prunes the links before the first burst: then they all
    /// carry all of it. Of those who write much at once one decides, as the root does else.
    ///
    /// - Parameter count: of the events that came.
    mutating func noteBurst(of author: MemberID, events count: Int, _ now: Instant) {
        if let old = burst, now - old.at < Limits.duplicateTime, old.author <= author {
            guard old.author == author else { return }
            burst?.at = now
            burst?.count += count
        } else {
            burst = Burst(author: author, at: now, count: count)
        }
    }

    /// Whose duplicates show circles now. One only: by what two say two links of one circle may go.
    private func decider(_ now: Instant) -> MemberID {
        if let burst, burst.decides(now) { burst.author } else { root }
    }

    /// The same of the root's sign of life: it goes the way that events go. Where one of its events came another way
    /// it was late somewhere, and what both prune may leave a hole. A row that comes much later was not passed on but
    /// asked for, and says nothing of circles.
    mutating func cameTwice(_ claim: FrontierClaim, _ origin: Origin, _ now: Instant, _ outputs: inout [Output]) {
        guard claim.member == root, root == decider(now), let link = origin.link, let first = rootRow,
            first.number == claim.counter, now - first.at < Limits.duplicateTime, isOtherWay(first, link),
            arrivals[root]?.origin.link != link
        else { return }
        prune(link, now, &outputs)
    }

    /// Whether it came first on another link that is part of the tree.
    private func isOtherWay(_ first: FirstArrival, _ link: LinkID) -> Bool {
        first.origin.link.map { $0 != link && links[$0]?.peerIsEager == true } ?? false
    }

    /// Whose word decides what is too many: of those who are present the first by id.
    package var root: MemberID { min(own, presence.first ?? own) }

    /// The link is part of the tree from here on. On a lazy link only one of the two tells of an event, so neither
    /// knows all that the other has, and does not push what may not continue it: both say it.
    mutating func join(_ link: LinkID, _ now: Instant, _ outputs: inout [Output]) {
        guard let state = links[link] else { return }
        links[link]?.isEager = true
        links[link]?.peerIsEager = true
        guard !state.isEager else { return }
        // Whom datagrams on a segment reach gets no pushes. And nobody makes us say it all again and again.
        guard !isReached(state.member, on: activeSegments(now), now),
            state.toldAllAt.map({ now - $0 >= Limits.tellAllPause }) ?? true
        else { return }
        links[link]?.toldAllAt = now
        for heads in wholeFrontier where !heads.isEmpty { send(.have(heads), .pressing, to: link, now, &outputs) }
    }

    /// The peer had what we pushed. If the last word of the root, or of who writes much at once, came to us on a link
    /// that is not part of the tree, since we had just pruned it or only its other end thinks that it is, nothing would
    /// be left that joins us to the rest.
    mutating func pruned(_ link: LinkID, _ now: Instant, _ outputs: inout [Output]) {
        links[link]?.isEager = false
        links[link]?.peerIsEager = false
        let decider = decider(now)
        // What we write comes to us on no link.
        guard decider != own else { return }
        let words = decider == root ? [rootRow, arrivals[root]] : [arrivals[decider]]
        guard let parent = words.compactMap(\.self).max(by: { $0.at < $1.at })?.origin.link, let state = links[parent],
            !(state.isEager && state.peerIsEager)
        else { return }
        // Datagrams bring what is said now and then, and not what is said all at once.
        let isBurst = burst?.decides(now) ?? false
        guard isBurst || !isReached(state.member, on: activeSegments(now), now) else { return }
        let range = Want.Range(author: root, first: expected(root), last: expected(root))
        send(.want(Want(id: nextPullID, ranges: [range], graft: true)), to: parent, now, &outputs)
        nextPullID &+= 1
        join(parent, now, &outputs)
    }

    /// Haves are enough here.
    private mutating func prune(_ link: LinkID, _ now: Instant, _ outputs: inout [Output]) {
        guard let state = links[link] else { return }
        if !state.peerIsEager, let at = state.prunedAt, now - at < Limits.prunePause { return }
        links[link]?.peerIsEager = false
        links[link]?.isEager = false
        links[link]?.prunedAt = now
        send(.prune, to: link, now, &outputs)
    }
}
