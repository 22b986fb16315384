import TourModel
import TourWire

/// The first arrival of something: an author's event by its sequence, or a member's row by its counter.
struct FirstArrival: Hashable, Sendable {
    let number: UInt64
    let origin: Origin
    let at: Instant
}

/// The author of many events at once: of all whose events links brought lately, the first by id.
struct Burst: Hashable, Sendable {
    let author: MemberID
    /// When the last of its events arrived.
    var at: Instant
    /// The number of its events.
    var count = 0

    /// Whether its duplicates show which links are redundant: true once so many events came that all nodes know the
    /// author.
    func decides(_ now: Instant) -> Bool { count >= Limits.burstEventsMin && now - at < Limits.duplicateTime }
}

// The tree of links on which live events go out. Source: `Protocol/06-replication.md`, "Push".
extension GossipMachine {
    /// Handles a push of something that we had: its link may be redundant. Events that two authors write at the same
    /// time can come twice at different places of one cycle, and with both links gone the tree would have a hole. So
    /// only one member's events decide, the same for all nodes; except when the event came first on a segment, where
    /// holes in the tree do not matter.
    mutating func cameTwice(
        _ author: MemberID, _ number: UInt64, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let link = origin.link else { return }
        // The peer did not receive our `Prune`, or a graft of ours came after it.
        if links[link]?.peerIsEager == false { return prune(link, &step) }
        guard let first = arrivals[author] else { return }
        let decider = decider(step.now)
        // On other links a burst comes in other pieces, but all of it from the same author.
        let isOfBurst = author == burst?.author && author == decider
        guard first.number == number || isOfBurst && number < first.number else { return }
        if case .air = first.origin { return prune(link, &step) }
        if author == decider, isOtherWay(first, link) { prune(link, &step) }
    }

    /// Records events of an author for the burst. Where datagrams carry occasional events, nothing prunes the links
    /// before the first burst, and then every link carries all of it. Of the authors that write much at once one
    /// decides, as the root does otherwise.
    ///
    /// - Parameter count: the number of events that arrived.
    mutating func recordBurst(of author: MemberID, events count: Int, _ now: Instant) {
        if let old = burst, now - old.at < Limits.duplicateTime, old.author <= author {
            guard old.author == author else { return }
            burst?.at = now
            burst?.count += count
        } else {
            burst = Burst(author: author, at: now, count: count)
        }
    }

    /// The member whose duplicates show cycles now. There is only one: the duplicates of two could remove two links of
    /// a cycle.
    private func decider(_ now: Instant) -> MemberID {
        if let burst, burst.decides(now) { burst.author } else { root }
    }

    /// The same for the root's sign of life, which takes the path that events take. If one of the root's events arrived
    /// on another link, the row was late somewhere, and pruning by both may leave a hole. A row that arrives much later
    /// was pulled, not passed on, and says nothing about cycles.
    mutating func cameTwice(_ claim: FrontierClaim, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        guard claim.member == root, root == decider(step.now), let link = origin.link, let first = rootRow,
            first.number == claim.counter, step.now - first.at < Limits.duplicateTime, isOtherWay(first, link),
            arrivals[root]?.origin.link != link
        else { return }
        prune(link, &step)
    }

    /// Whether the first copy arrived on another link that is part of the tree.
    private func isOtherWay(_ first: FirstArrival, _ link: LinkID) -> Bool {
        first.origin.link.map { $0 != link && links[$0]?.peerIsEager == true } ?? false
    }

    /// The member that decides which links are redundant: the first by id of those present.
    package var root: MemberID { min(own, presence.first ?? own) }

    /// Makes the link part of the tree. On a lazy link only one of the two peers announces an event, so neither knows
    /// all that the other has, and neither pushes what may not continue it: both send their frontier.
    mutating func join(_ link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        guard let state = links[link] else { return }
        links[link]?.isEager = true
        links[link]?.peerIsEager = true
        guard !state.isEager else { return }
        // A peer that datagrams on a segment reach gets no pushes. And no peer makes us repeat the frontier again and
        // again.
        guard !isReached(state.member, on: activeSegments(step.now), step.now),
            state.toldAllAt.map({ step.now - $0 >= Limits.tellAllPause }) ?? true
        else { return }
        links[link]?.toldAllAt = step.now
        for heads in wholeFrontier where !heads.isEmpty { send(.have(heads), .pressing, to: link, &step) }
    }

    /// The peer already had what we pushed. The last event of the decider may have come to us on a link outside the
    /// tree, because we had just pruned it or only its other end counts it in. Then no link would join us to the rest,
    /// so we graft that one.
    mutating func pruned(_ link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        links[link]?.isEager = false
        links[link]?.peerIsEager = false
        let decider = decider(step.now)
        // Our own events come to us on no link.
        guard decider != own else { return }
        let words = decider == root ? [rootRow, arrivals[root]] : [arrivals[decider]]
        guard let parent = words.compactMap(\.self).max(by: { $0.at < $1.at })?.origin.link, let state = links[parent],
            !(state.isEager && state.peerIsEager)
        else { return }
        // Datagrams bring occasional events, but not bursts.
        let isBurst = burst?.decides(step.now) ?? false
        guard isBurst || !isReached(state.member, on: activeSegments(step.now), step.now) else { return }
        let range = Want.Range(author: root, first: expected(root), last: expected(root))
        send(.want(Want(id: nextPullID, ranges: [range], graft: true)), to: parent, &step)
        nextPullID &+= 1
        join(parent, &step)
    }

    /// Prunes a redundant link: `Have`s are enough there.
    private mutating func prune(_ link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        guard let state = links[link] else { return }
        if !state.peerIsEager, let at = state.prunedAt, step.now - at < Limits.prunePause { return }
        links[link]?.peerIsEager = false
        links[link]?.isEager = false
        links[link]?.prunedAt = step.now
        send(.prune, to: link, &step)
    }
}
