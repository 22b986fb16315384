import TourModel
import TourWire

/// The first arrival of something: an author's event by its sequence, or a member's row by its counter.
struct FirstArrival: Hashable, Sendable {
    /// A second copy of the root's row within this time shows a cycle in the tree.
    static let duplicateTime: Duration = .seconds(1)

    let number: UInt64
    let origin: Origin
    let at: Instant
}

/// The author of many events at once: of all whose events links brought lately, the first by id.
struct Burst: Hashable, Sendable {
    /// The least number of events of one author at once that counts as a burst.
    private static let eventsMin = 32

    let author: MemberID
    /// When the last of its events arrived.
    var at: Instant
    /// The number of its events.
    var count = 0

    /// Whether its duplicates show which links are redundant: true once so many events came that all nodes know the
    /// author.
    func decides(_ now: Instant) -> Bool { count >= Self.eventsMin && now - at < FirstArrival.duplicateTime }
}

/// The tree of links on which live events go out. Source: `Protocol/06-replication.md`, "Push".
struct PushTree: Sendable {
    private let own: MemberID
    private var presence = Presence()
    /// Where each author's last event came from first; then the same for the root's last row.
    private var arrivals: [MemberID: FirstArrival] = [:]
    private var rootRow: FirstArrival?
    private var burst: Burst?

    init(own: MemberID) { self.own = own }

    /// When the next sign of life counts as missing.
    var due: Instant? { presence.due }

    /// The member that decides which links are redundant: the first by id of those present.
    var root: MemberID { min(own, presence.first ?? own) }

    /// The member whose duplicates show cycles now. There is only one: the duplicates of two could remove two links of
    /// a cycle.
    private func decider(_ now: Instant) -> MemberID { if let burst, burst.decides(now) { burst.author } else { root } }

    // MARK: - What arrives

    /// A run that is news arrived.
    mutating func recordArrival(of run: Run, from origin: Origin, _ now: Instant) {
        arrivals[run.author] = FirstArrival(number: run.last, origin: origin, at: now)
    }

    /// A member's newest row arrived.
    mutating func recordLife(of claim: FrontierClaim, from origin: Origin, _ now: Instant) {
        // A member that sleeps decides nothing about the tree either.
        guard !claim.isAsleep else { return presence.rest(claim.member) }
        presence.recordLife(of: claim.member, now)
        if claim.member == root { rootRow = FirstArrival(number: claim.counter, origin: origin, at: now) }
    }

    /// Records events of an author for the burst. Where datagrams carry occasional events, nothing prunes the links
    /// before the first burst, and then every link carries all of it. Of the authors that write much at once one
    /// decides, as the root does otherwise.
    ///
    /// - Parameter count: the number of events that arrived.
    mutating func recordBurst(of author: MemberID, events count: Int, _ now: Instant) {
        if let old = burst, now - old.at < FirstArrival.duplicateTime, old.author <= author {
            guard old.author == author else { return }
            burst?.at = now
            burst?.count += count
        } else {
            burst = Burst(author: author, at: now, count: count)
        }
    }

    // MARK: - Redundant links

    /// Handles a push of something that we had: its link may be redundant. Events that two authors write at the same
    /// time can come twice at different places of one cycle, and with both links gone the tree would have a hole. So
    /// only one member's events decide, the same for all nodes; except when the event came first on a segment, where
    /// holes in the tree do not matter.
    func cameTwice(
        _ author: MemberID, _ number: UInt64, _ origin: Origin, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let link = origin.link else { return }
        // The peer did not receive our `Prune`, or a graft of ours came after it.
        if links[link]?.branch.peerIsEager == false { return prune(link, &links, &step) }
        guard let first = arrivals[author] else { return }
        let decider = decider(step.now)
        // On other links a burst comes in other pieces, but all of it from the same author.
        let isOfBurst = author == burst?.author && author == decider
        guard first.number == number || isOfBurst && number < first.number else { return }
        if case .multicast = first.origin { return prune(link, &links, &step) }
        if author == decider, isOtherWay(first, link, links) { prune(link, &links, &step) }
    }

    /// The same for the root's sign of life, which takes the path that events take. If one of the root's events arrived
    /// on another link, the row was late somewhere, and pruning by both may leave a hole. A row that arrives much later
    /// was pulled, not passed on, and says nothing about cycles.
    func cameTwice(
        _ claim: FrontierClaim, _ origin: Origin, _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard claim.member == root, root == decider(step.now), let link = origin.link, let first = rootRow,
            first.number == claim.counter, step.now - first.at < FirstArrival.duplicateTime,
            isOtherWay(first, link, links),
            arrivals[root]?.origin.link != link
        else { return }
        prune(link, &links, &step)
    }

    /// Whether the first copy arrived on another link that is part of the tree.
    private func isOtherWay(_ first: FirstArrival, _ link: LinkID, _ links: Links) -> Bool {
        first.origin.link.map { $0 != link && links[$0]?.branch.peerIsEager == true } ?? false
    }

    /// Prunes a redundant link: `Have`s are enough there.
    private func prune(_ link: LinkID, _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>) {
        if links[link]?.branch.prune(step.now) == true { links.send(.prune, to: link, &step) }
    }

    // MARK: - Links that join

    /// Makes the link part of the tree. On a lazy link only one of the two peers announces an event, so neither knows
    /// all that the other has, and neither pushes what may not continue it: both send their frontier.
    func join(
        _ link: LinkID, _ logs: Logs, _ multicast: Multicast, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let member = links[link]?.member, let wasEager = links[link]?.branch.isEager else { return }
        links[link]?.branch.join()
        guard !wasEager else { return }
        // A peer that datagrams on a segment reach gets no pushes.
        guard !multicast.isReached(member, on: multicast.active(step.now), step.now),
            links[link]?.branch.acquireWholeFrontier(step.now) == true
        else { return }
        for heads in logs.wholeFrontier where !heads.isEmpty {
            links.send(step.have(heads), .pressing, to: link, &step)
        }
    }

    /// The peer already had what we pushed. The last event of the decider may have come to us on a link outside the
    /// tree, because we had just pruned it or only its other end counts it in. Then no link would join us to the rest,
    /// so we graft that one.
    /// - Returns: the link to graft.
    func pruned(_ link: LinkID, _ multicast: Multicast, _ links: inout Links, _ now: Instant) -> LinkID? {
        links[link]?.branch.recordPrune()
        let decider = decider(now)
        // Our own events come to us on no link.
        guard decider != own else { return nil }
        let words = decider == root ? [rootRow, arrivals[root]] : [arrivals[decider]]
        guard let parent = words.compactMap(\.self).max(by: { $0.at < $1.at })?.origin.link, let state = links[parent],
            !(state.branch.isEager && state.branch.peerIsEager)
        else { return nil }
        // Datagrams bring occasional events, but not bursts.
        let isBurst = burst?.decides(now) ?? false
        guard isBurst || !multicast.isReached(state.member, on: multicast.active(now), now) else { return nil }
        return parent
    }

    /// A member's sign of life may be missing: then the tree may have a hole between us, so one more link joins it. The
    /// next event prunes the link if it was not needed.
    /// - Returns: the link to graft.
    mutating func mend(
        _ multicast: Multicast, _ links: Links, _ step: inout Step<some RandomNumberGenerator>
    ) -> LinkID? {
        guard let due = presence.due, due <= step.now else { return nil }
        let now = step.now
        let isMissed = presence.missesAnybody(now) { multicast.wasHeard($0, now) }
        guard isMissed else { return nil }
        let lazy = links.ids.filter { link in
            links[link].map { !$0.branch.isEager && $0.hasSpoken && !$0.isDistrusted && !$0.isLagging } ?? false
        }
        return lazy.randomElement(using: &step.rng)
    }

    // MARK: - Pushes

    /// Sends a stored event again on every link whose peer does not claim to have it, pruned links included.
    static func resend(
        _ event: Event, hops: Int, _ claims: ClaimState, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        let header = event.header
        for link in links.ids {
            guard let state = links[link], state.hasSpoken, state.member != header.author else { continue }
            let claimed = claims.claims[state.member].map { $0.heads[header.author.prefix] ?? 0 } ?? .max
            guard min(state.peer.has[header.author], claimed) < header.sequence else { continue }
            for run in Run.runs(of: [event], hops: hops, pushed: true) { step.outputs.append(.send(link, .run(run))) }
        }
    }

    /// Pushes to every eager neighbour that lacks these events, whose log they continue and that no datagram reaches;
    /// other neighbours get the urgent ones. A neighbour that missed the previous datagram pulls the events between.
    ///
    /// - Parameter before: the segments that had the author's previous event.
    /// - Parameter ids: the segments on which the events went out.
    func push(
        _ events: [Event], after before: [SegmentID], hops: Int, except source: LinkID?, reached ids: [SegmentID],
        _ urgent: UrgentEvents, _ multicast: Multicast, _ logs: Logs, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let first = events.first, let last = events.last else { return }
        let author = first.header.author
        let now = step.now
        lazy var runs = Run.runs(of: events, hops: hops, pushed: true)
        let overtaking = events.filter { urgent.overtakesChat($0) }
        let reached = multicast.segments(ids)
        for link in links.members.keys.sorted() where link != source {
            // Where datagrams reach everybody no link is examined.
            guard let member = links.members[link], member != author,
                !reached.contains(where: { $0.isHeard(by: member, now: now) }), let state = links[link], state.hasSpoken
            else { continue }
            let reach = state.peer.reach(author)
            guard reach < last.header.sequence else { continue }
            let place = first.header.sequence - 1
            // An announcement that goes ahead leaves a gap before it: it is pushed only where there is no gap.
            let mayContinue =
                overtaking.isEmpty
                && (state.peer.presumed[author] == place || multicast.isReached(member, on: before, now))
            guard hops < Limits.hopsMax, state.branch.isEager, !state.isLagging, reach >= place || mayContinue else {
                for event in overtaking { urgent.overtake(event, hops: hops, on: link, logs, &links, &step) }
                // A neighbour that hears datagrams gets few `Have`s: this author must be in one.
                links[link]?.peer.addUnsent(author)
                continue
            }
            for run in runs { links.send(.run(run), to: link, &step) }
            if reach >= place {
                links[link]?.peer.sent(through: last)
            } else {
                links[link]?.peer.presume(author, through: last.header.sequence)
            }
        }
    }
}
