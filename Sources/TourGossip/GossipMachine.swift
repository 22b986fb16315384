import TourCrypto
import TourModel
import TourWire

/// The replication of one tour on one node: live pushes along a tree of links, frontiers on the others, pulls for what
/// is missing, and members' claims. Source: `Protocol/06-replication.md`.
///
/// Pure and deterministic: the shell verifies, stores and sends what the outputs ask for, in order, and reports back.
/// After each call it sets one timer for `nextDeadline`.
package struct GossipMachine: Sendable {
    package enum Input: Sendable {
        /// A link is open and both sides are in both rosters.
        case linkUp(LinkID, MemberID)
        case linkDown(LinkID)
        /// The link's queue passed its bound, or has drained.
        case pressure(LinkID, isLagging: Bool)
        case message(LinkID, LinkMessage)
        /// A run that `verify` asked for is sound; or is not.
        case verified(Origin, VerifiedRun)
        case refused(Origin, author: MemberID)
        /// A run that cannot be judged: its author is not in the roster.
        case skipped(Origin, author: MemberID)
        /// Events that this node wrote and stored.
        case wrote([Event])
        /// Events accepted before are in the store now: per author the last.
        case stored([MemberID: UInt64])
        /// What `load` asked for, in order; empty when the store has nothing there.
        case loaded(LinkID, id: UInt32, [Event])
        /// What `loadUrgent` asked for, the newest first.
        case urgent(LinkID, [(event: Event, hops: Int)])
        /// Claims that `verifyClaims` asked for, the sound ones.
        case claims(Origin, [VerifiedClaim])
        /// So many of those claims were not signed by whom they name.
        case forgedClaims(Origin, count: Int)
        /// This node's own claim, which `signClaim` asked for.
        case claim(VerifiedClaim)
        /// Position rows that `verifyPositions` asked for, the sound ones of those that have not ended.
        case positions(Origin, [VerifiedPosition])
        /// This node's own position row.
        case position(VerifiedPosition)
        /// The user has read up to this place in the tour's order.
        case readMoved(LogicalClock)
        /// The user asks for an event of the store to be pushed again to neighbours who lack it.
        case resend(Event, hops: Int)
        /// The roster as it is now: authors that may be taken, all those whose rank lets them announce, and the last of
        /// the logs that end, beyond which nothing is taken, asked for or given.
        /// Of the node's own log also the last that a control event shows; and who is in and somebody's device (nil:
        /// all whose log does not end).
        case authors(
            [MemberID], leaders: Set<MemberID>, ends: [MemberID: UInt64] = [:], ownThrough: UInt64 = 0,
            people: Set<MemberID>? = nil)
        /// The segments that this node is on now.
        case segments([SegmentID])
        /// A datagram that the epoch's key opened, and that was not heard before.
        case datagram(SegmentID, Datagram)
        /// What is asked for of casts, to everybody on the segment. What others ask stands in their datagrams: it is
        /// the shell's to hand on.
        case castAsks(SegmentID, [CastAsk])
        /// The user's word on the log of this node: nothing was written since the copy was made (`ready`), or its key
        /// is given up (`retired`).
        case settleOwnLog(OwnLogState)
        /// Whether datagrams to this link's peer can be tried: both sides have a port for them.
        case path(LinkID, isOffered: Bool)
        /// A datagram of this link's peer, opened with the link's own key and not heard before.
        case unicast(LinkID, PathDatagram)
        /// A run that a server gave when it was asked.
        case fetched(Run)
        case timer
    }

    package enum Output: Sendable {
        case send(LinkID, LinkMessage)
        case multicast(SegmentID, Datagram)
        case unicast(LinkID, PathDatagram)
        case verify(Origin, Run)
        /// Exactly the events that continue what was asked to be stored before.
        case store(VerifiedRun)
        /// An event before which others of its author are missing: to be kept and shown. When the log comes to it,
        /// and it continues the log, it is part of that without another word.
        case storeAhead(VerifiedRun)
        case load(LinkID, id: UInt32, Want.Range, bytesMax: Int)
        /// The newest urgent events in these ranges, those ahead of their logs included.
        case loadUrgent(LinkID, [Want.Range])
        case verifyClaims(Origin, [HeardClaim])
        case signClaim([PrefixedHead], whole: WholeFrontier?, readThrough: LogicalClock?)
        /// Others know a row of ours with this counter: ours go on behind it.
        case ownCounter(UInt64)
        /// A claim that is news: of a member, how far away, and what it holds. Only the member's newest is a sign of
        /// life.
        case claimed(VerifiedClaim, Origin, isNewest: Bool)
        case verifyPositions(Origin, [HeardPosition])
        /// A position row is news, our own among them.
        case positioned(VerifiedPosition)
        /// Somebody wrote whom our roster does not know: compare control events on this link.
        case compareControls(LinkID)
        /// A sound run of a log that seems to fork: where it differs from what is stored, that is the proof.
        case compare(VerifiedRun)
        /// Whether this node may write has changed: to be kept before anything is written.
        case ownLog(OwnLogState)
        /// The peer sent something that it should not have.
        case fault(Origin, GossipFault)
    }

    /// This node's own log, and whether it may be written.
    let own: MemberID
    package internal(set) var ownLog: OwnLog
    var authors: [UInt64: MemberID] = [:]
    var members: Set<MemberID> = []
    /// Those of them who are in and somebody's device: witnesses of our own log.
    var people: Set<MemberID> = []
    /// Who may announce. What others write as an announcement has no effect, and is no more urgent than chat.
    var leaders: Set<MemberID>
    /// Calls for help of the others that go ahead as well.
    var alarms = AlarmBudget()
    var ambiguous: Set<UInt64> = []
    /// The last that counts, of the logs that end.
    var ends: [MemberID: UInt64] = [:]
    /// What each author's log may take.
    let share: LogShare
    /// The last that is taken, of the logs whose authors wrote on beyond their share.
    var shareEnds: [MemberID: UInt64] = [:]
    /// Authors whose logs seem to fork, and when their other branch was asked for.
    var suspects: [MemberID: Instant] = [:]
    /// Verified and handed to the store, perhaps not stored yet.
    var accepted: [MemberID: Head]
    /// The last sequence that is being verified; what comes twice meanwhile is dropped unread.
    var verifying: [MemberID: UInt64] = [:]
    /// The last of the node's own log that was seen with its signature, be it in no log yet.
    var shownOfOwnLog: UInt64 = 0
    /// In the store: what this node says that it has.
    package internal(set) var stored: Frontier
    var links: [LinkID: GossipLink] = [:]
    /// The links that are open, and whom they reach.
    package private(set) var neighbours: [LinkID: MemberID] = [:]
    var pulls: [MemberID: Pull] = [:]
    /// Whether a pull that waits for a free neighbour may find one now.
    var arePullsDue = false
    var nextPullID: UInt32 = 1
    var board = ClaimBoard()
    var positions = PositionBoard()
    /// Authors whose announcement is accepted and not stored yet: it is claimed at once.
    var announced: [MemberID: UInt64] = [:]
    var presence = Presence()
    /// Where each author's last event came from first, and the root's last row.
    var arrivals: [MemberID: FirstArrival] = [:]
    var rootRow: FirstArrival?
    var burst: Burst?
    var changed: Set<MemberID> = []
    /// Of these, whose events were asked for: nobody else heard them.
    var fetched: Set<MemberID> = []
    var haveDue: Instant?
    /// What was asked for since the tree had a hole there, up to this event of each author: others miss it as well.
    var mended: [MemberID: UInt64] = [:]
    /// What was stored when late Haves were last looked at, and when that is next.
    var lateHeads = Frontier()
    var lateHaveDue: Instant?
    var segments: [SegmentID: Segment] = [:]
    /// Live events, for those on a segment who missed one.
    var recent = RecentEvents()
    /// Runs that came before what they continue, by author and in order.
    var held: [MemberID: [HeldRun]] = [:]
    /// Urgent events taken before what they continue, and those that are being verified.
    var ahead = AheadEvents()
    var trials: Set<Run> = []
    /// Authors whose heads changed last, and whose turn it is of the others.
    var beaconNews: [MemberID] = []
    var beaconTurn = 0
    /// What came lately in the tour's order, and the frontiers that follow from it.
    var timeline = Timeline()
    var wholes = WholeFrontiers()
    /// When the head of an author that changed lately did so.
    var newsAt: [MemberID: Instant] = [:]

    struct Head: Hashable, Sendable {
        var sequence: UInt64
        var id: EventID
        /// Of the event before; nil when this life has not seen it.
        var previous: EventID?
        /// Of the log up to here.
        var size: LogSize
        /// The segments that had it: who hears them has it as well, if nothing was lost.
        var aired: [SegmentID] = []

        init(sequence: UInt64, id: EventID, previous: EventID? = nil, size: LogSize) {
            self.sequence = sequence
            self.id = id
            self.previous = previous
            self.size = size
        }

        init(_ event: Event, size: LogSize) {
            self.init(sequence: event.header.sequence, id: event.id, previous: event.header.previous, size: size)
        }
    }

    /// - Parameter leaders: those of the members who may announce.
    /// - Parameter heads: what the store holds at the start.
    /// - Parameter sizes: of these logs.
    /// - Parameter ahead: what it holds ahead of the logs.
    /// - Parameter ownThrough: the last of the node's own log that a control event shows.
    /// - Parameter people: who is in and somebody's device; nil: all whose log does not end.
    package init(
        own: MemberID, members: some Sequence<MemberID>, leaders: Set<MemberID>, ends: [MemberID: UInt64] = [:],
        heads: [MemberID: (sequence: UInt64, id: EventID)], sizes: [MemberID: LogSize] = [:], ahead: [Event] = [],
        ownLog: OwnLogState = .ready, ownThrough: UInt64 = 0, share: LogShare = .ofTour, people: Set<MemberID>? = nil
    ) {
        self.own = own
        self.share = share
        shownOfOwnLog = ownThrough
        self.leaders = leaders
        self.ends = ends
        self.ownLog = OwnLog(ownLog)
        stored = Frontier(heads.mapValues { $0.sequence })
        accepted = [:]
        for (author, head) in heads {
            accepted[author] = Head(sequence: head.sequence, id: head.id, size: sizes[author] ?? .zero)
        }
        for event in ahead { self.ahead.add(event) }
        learn(Array(members))
        self.people = people ?? self.members.subtracting(ends.keys)
    }

    package mutating func handle(
        _ input: Input, now: Instant, using rng: inout some RandomNumberGenerator, into outputs: inout [Output]
    ) {
        switch input {
        case .linkUp(let link, let member): linkUp(link, member, now, &rng, &outputs)
        case .linkDown(let link): linkDown(link, now)
        case .pressure(let link, let isLagging):
            links[link]?.isLagging = isLagging
            links[link]?.urgentWhileLagging = 0
            if !isLagging { caughtUp(link, &outputs) }
        case .message(let link, let message): receive(message, .link(link), now, &rng, &outputs)
        case .verified(let origin, let run): accept(origin, run, now, &rng, &outputs)
        case .refused(let origin, let author): refuse(origin, author, now, &outputs)
        case .skipped(let origin, let author): skip(origin, author, now)
        case .wrote(let events): publish(events, now, &rng, &outputs)
        case .stored(let heads): confirm(heads, now, &rng)
        case .loaded(let link, let id, let events): loaded(link, id, events, &outputs)
        case .urgent(let link, let events): offer(events, on: link, now, &outputs)
        case .claims(let origin, let claims): take(claims, from: origin, now, &rng, &outputs)
        case .forgedClaims(let origin, let count): forged(origin, count, now)
        case .claim(let claim): take(own: claim, now, &rng, &outputs)
        case .positions(let origin, let rows): take(positions: rows, from: origin, now, &outputs)
        case .position(let row): take(positions: [row], from: nil, now, &outputs)
        case .segments(let ids): join(ids, now, &rng)
        case .datagram(let segment, let datagram): hear(datagram, on: segment, now, &rng, &outputs)
        case .castAsks(let segment, let asks): say(asks, on: segment, now, &outputs)
        case .path(let link, let isOffered): links[link]?.path.offer(isOffered)
        case .unicast(let link, let datagram): hear(datagram, from: link, now, &rng, &outputs)
        case .readMoved(let clock): board.readMoved(to: clock, now, members: members.count, using: &rng)
        case .resend(let event, let hops): resend(event, hops: hops, now, &rng, &outputs)
        case .authors(let members, let leaders, let ends, let ownThrough, let people):
            self.leaders = leaders
            shownOfOwnLog = max(shownOfOwnLog, ownThrough)
            learn(members, ends, now)
            self.people = people ?? self.members.subtracting(ends.keys)
        case .settleOwnLog(let state): settle(ownLog: state, &outputs)
        case .fetched(let run): receive(run, .mailbox, now, &rng, &outputs)
        case .timer: break
        }
        runTimers(now, &rng, &outputs)
    }

    /// When the shell must call with `.timer` at the latest; nil while nothing waits. Worked out once a call, and kept.
    package private(set) var nextDeadline: Instant?

    /// Links and segments are asked where they lie: to copy one takes longer than the question.
    private mutating func updateDeadline() {
        var deadline = Deadline(haveDue)
        deadline.consider(links.isEmpty ? nil : board.ownDue)
        deadline.consider(lateHaveDue)
        deadline.consider(ownLog.due)
        deadline.consider(links.isEmpty ? nil : presence.due)
        for pull in pulls.values {
            if case .waiting(let until) = pull { deadline.consider(until) }
        }
        segments.visitValues { $0.tell(&deadline) }
        links.visitValues { $0.tell(&deadline) }
        nextDeadline = deadline.earliest
    }

    mutating func receive(
        _ message: LinkMessage, _ origin: Origin, _ now: Instant, _ rng: inout some RandomNumberGenerator,
        _ outputs: inout [Output]
    ) {
        guard let link = origin.link, links[link] != nil else { return }
        switch message {
        case .have(let heads): heard(link, heads, now, &rng, &outputs)
        case .run(let run): receive(run, origin, now, &rng, &outputs)
        case .want(let want): wanted(link, want, now, &outputs)
        case .served(let id, _): served(link, id, now)
        case .prune: pruned(link, now, &outputs)
        case .rows(let rows): received(rows, origin, now, &outputs)
        case .positions(let rows): received(positions: rows, origin, now, &outputs)
        default: outputs.append(.fault(origin, .unexpectedMessage))
        }
    }

    private mutating func linkUp(
        _ link: LinkID, _ member: MemberID, _ now: Instant, _ rng: inout some RandomNumberGenerator,
        _ outputs: inout [Output]
    ) {
        links[link] = GossipLink(member: member)
        neighbours[link] = member
        for id in segments.keys.sorted() { greet(on: id, now, &rng) }
        for heads in wholeFrontier { outputs.append(.send(link, .have(heads))) }
        board.speak(now)
        owe(link, now)
        owePositions(link, now)
    }

    /// All that is here, in as many messages as it takes; one with nothing if need be.
    var wholeFrontier: [[PrefixedHead]] {
        let heads = stored.heads.sorted { $0.key < $1.key }
            .map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) }
        return stride(from: 0, to: max(heads.count, 1), by: Limits.headsPerMessageMax)
            .map { Array(heads[$0..<min($0 + Limits.headsPerMessageMax, heads.count)]) }
    }

    private mutating func linkDown(_ link: LinkID, _ now: Instant) {
        guard let lost = links.removeValue(forKey: link) else { return }
        neighbours[link] = nil
        for author in asked(of: link).keys { pulls[author] = .queued }
        arePullsDue = true
        // A peer that had no room for us never spoke: nothing came or went on this link.
        guard lost.hasSpoken else { return }
        // The tree may have lost a branch: whoever is left is pushed to until duplicates prune again.
        for other in links.keys { links[other]?.isEager = true }
    }

    private mutating func learn(_ members: [MemberID], _ ends: [MemberID: UInt64], _ now: Instant) {
        // A log that went on after all is asked for again.
        let resumed = self.ends.keys.filter { end(of: $0) < ends[$0] ?? .max }
        self.ends = ends
        wholes.clear()
        for author in resumed { schedulePull(author, at: now) }
        for author in ends.keys { suspects[author] = nil }
        learn(members)
        for link in links.keys.sorted() {
            guard let unknown = links[link]?.unknownHeads, !unknown.isEmpty else { continue }
            for (prefix, sequence) in unknown {
                guard let author = authors[prefix] else { continue }
                links[link]?.unknownHeads[prefix] = nil
                links[link]?.peerHas.raise(author, to: sequence)
                if lacks(author, through: sequence) { schedulePull(author, at: now) }
            }
        }
    }

    private mutating func learn(_ new: [MemberID]) {
        for member in new where members.insert(member).inserted {
            let prefix = member.prefix
            if authors[prefix] != nil || ambiguous.contains(prefix) {
                // Two members, one prefix: their frontiers cannot be told apart, so neither is believed.
                authors[prefix] = nil
                ambiguous.insert(prefix)
            } else {
                authors[prefix] = member
            }
        }
    }

    private mutating func runTimers(
        _ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]
    ) {
        reviewOwnLog(now, &outputs)
        // With most inputs nothing is due, and finding that out once is cheaper than in each of these.
        updateDeadline()
        guard arePullsDue || nextDeadline.map({ $0 <= now }) == true else { return }
        if let due = haveDue, due <= now { flushHaves(now, &outputs) }
        compareControls(now, &outputs)
        mendTree(now, &rng, &outputs)
        flushClaims(now, &outputs)
        flushPositions(now, &outputs)
        signOwnClaim(now, &rng, &outputs)
        runAirTimers(now, &rng, &outputs)
        runPaths(now, &rng, &outputs)
        startPulls(now, &rng, &outputs)
        updateDeadline()
    }

    /// The store lost what it was given: starts again from what it holds. Links come up anew; claims stay.
    package mutating func restart(
        heads: [MemberID: (sequence: UInt64, id: EventID)], sizes: [MemberID: LogSize] = [:], ahead: [Event] = []
    ) {
        let (claims, ownRead, segments, timeline) = (board.all, board.ownRead, segments, timeline)
        let (shareEnds, positions) = (shareEnds, positions)
        self = GossipMachine(
            own: own, members: members, leaders: leaders, ends: ends, heads: heads, sizes: sizes, ahead: ahead,
            ownLog: ownLog.state, ownThrough: shownOfOwnLog, share: share, people: people)
        self.timeline = timeline
        self.shareEnds = shareEnds
        self.positions = positions
        restore(claims, readThrough: ownRead)
        // Who hears whom is as before; what was on its way is not in the store.
        self.segments = segments.mapValues { segment in
            var segment = segment
            segment.flights = []
            segment.repairs = [:]
            return segment
        }
        updateDeadline()
    }

    /// Whether claims may name an author by this prefix.
    package func knows(prefix: UInt64) -> Bool { authors[prefix] != nil }

    /// The member of this prefix, if there is one and only one.
    package func member(prefix: UInt64) -> MemberID? { authors[prefix] }

    /// The last of this author's log that counts, and is within its share.
    func end(of author: MemberID) -> UInt64 { min(ends[author] ?? .max, shareEnds[author] ?? .max) }

    /// Whether an author's log goes on here when somebody has it up to there.
    func lacks(_ author: MemberID, through sequence: UInt64) -> Bool {
        min(sequence, end(of: author)) >= expected(author)
    }

    /// The next sequence of this author that is news.
    func expected(_ author: MemberID) -> UInt64 {
        max(accepted[author]?.sequence ?? 0, verifying[author] ?? 0) + 1
    }
}

/// A peer's record that the replication does not take. Scope: the record.
package enum GossipFault: String, Fault {
    /// A message of another layer, or one that only opens a link.
    case unexpectedMessage = "unexpected-message"
    /// A run whose signature does not verify.
    case badRun = "bad-run"
    /// A sound run that does not continue the log that we hold: the author wrote a sequence twice.
    case forkedLog = "forked-log"
    /// More pulls at once than `Limits.servingMax`.
    case tooManyPulls = "too-many-pulls"
    /// A sound run that goes on beyond what its author's log may take.
    case beyondShare = "beyond-share"
    /// An event that crossed more links than `Limits.hopsMax`.
    case tooManyHops = "too-many-hops"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
