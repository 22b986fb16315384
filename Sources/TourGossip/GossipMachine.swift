import TourCrypto
import TourModel
import TourWire

/// The replication of one tour on one node: live pushes along a tree of links, frontiers on the others, pulls for what
/// is missing, and members' claims. Source: `Protocol/06-replication.md`.
///
/// Pure and deterministic: the shell verifies, stores and sends what the outputs ask for, in order, and reports back.
/// After each call the shell sets one timer for `nextDeadline`.
package struct GossipMachine: Sendable {
    /// An event that the shell reports to the machine.
    package enum Input: Sendable {
        /// A link is open and each side is in the other's roster.
        case linkUp(LinkID, MemberID)
        /// A link has closed.
        case linkDown(LinkID)
        /// The link's queue exceeded its bound, or has drained.
        case pressure(LinkID, isLagging: Bool)
        /// A message of a link's peer.
        case message(LinkID, LinkMessage)
        /// A run that `verify` asked for is sound.
        case verified(Origin, VerifiedRun)
        /// A run that `verify` asked for is not sound.
        case refused(Origin, author: MemberID)
        /// A run that the shell cannot judge: its author is not in the roster.
        case skipped(Origin, author: MemberID)
        /// Events that this node wrote and stored.
        case wrote([Event])
        /// Events accepted earlier are stored now: for each author the last.
        case stored([MemberID: UInt64])
        /// The events that `load` asked for, in order; empty when the store has nothing there.
        case loaded(LinkID, id: UInt32, [Event])
        /// The events that `loadUrgent` asked for, the newest first.
        case urgent(LinkID, [(event: Event, hops: Int)])
        /// The sound ones of the claims that `verifyClaims` asked for.
        case claims(Origin, [VerifiedClaim])
        /// How many of those claims were not signed by the member they name.
        case forgedClaims(Origin, count: Int)
        /// This node's own claim, which `signClaim` asked for.
        case claim(VerifiedClaim)
        /// The sound ones, not yet ended, of the position rows that `verifyPositions` asked for.
        case positions(Origin, [VerifiedPosition])
        /// This node's own position row.
        case position(VerifiedPosition)
        /// The user has read up to this place in the tour's order.
        case readMoved(LogicalClock)
        /// The user asks to push a stored event again to neighbours that lack it.
        case resend(Event, hops: Int)
        /// The roster as it is now: the authors whose events are accepted, all whose rank lets them announce, and the
        /// last sequence of each log that ends, beyond which no event is accepted, pulled or served. `ownThrough` is
        /// the last event of the node's own log that a control event shows; `people` are the members on a person's
        /// device (nil: all whose log does not end).
        case authors(
            [MemberID], leaders: Set<MemberID>, ends: [MemberID: UInt64] = [:], ownThrough: UInt64 = 0,
            people: Set<MemberID>? = nil)
        /// The segments that this node is on now.
        case segments([SegmentID])
        /// A datagram that the epoch's key opened and that is no repeat.
        case datagram(SegmentID, Datagram)
        /// Questions about casts for everybody on the segment. Those of other members arrive in their datagrams; the
        /// shell passes them on.
        case castAsks(SegmentID, [CastAsk])
        /// The user's decision about this node's log: nothing was written since the copy was made (`ready`), or the
        /// user gives its key up (`retired`).
        case settleOwnLog(OwnLogState)
        /// Whether datagrams to this link's peer can be tried: both sides have a port for them.
        case path(LinkID, isOffered: Bool)
        /// A datagram of this link's peer, opened with the link's own key and no repeat.
        case unicast(LinkID, PathDatagram)
        /// A run that a server returned.
        case fetched(Run)
        /// The time of `nextDeadline` has come.
        case timer
    }

    /// An action that the machine asks the shell to carry out.
    package enum Output: Sendable {
        /// Send a message on a link.
        case send(LinkID, LinkMessage)
        /// Send a datagram on a segment.
        case multicast(SegmentID, Datagram)
        /// Send a datagram to a link's peer.
        case unicast(LinkID, PathDatagram)
        /// Verify a run; answered by `verified`, `refused` or `skipped`.
        case verify(Origin, Run)
        /// Store exactly the events that continue those of the last `store`.
        case store(VerifiedRun)
        /// Keep and show an event before which others of its author are missing. When the log reaches the event, and
        /// the event continues it, the event is part of the log without a further output.
        case storeAhead(VerifiedRun)
        /// Read events of a range for a peer's pull; answered by `loaded`.
        case load(LinkID, id: UInt32, Want.Range, bytesMax: Int)
        /// Read the newest urgent events in these ranges, those ahead of their logs included.
        case loadUrgent(LinkID, [Want.Range])
        /// Verify the signatures of claims; answered by `claims` and `forgedClaims`.
        case verifyClaims(Origin, [HeardClaim])
        /// Sign this node's next claim; answered by `claim`.
        case signClaim([PrefixedHead], whole: WholeFrontier?, readThrough: LogicalClock?)
        /// Others know a row of ours with this counter: our next counter must exceed it.
        case ownCounter(UInt64)
        /// A claim that is news, where it came from, and whether it is the member's newest: only the newest is a sign
        /// of life.
        case claimed(VerifiedClaim, Origin, isNewest: Bool)
        /// Verify position rows; answered by `positions`.
        case verifyPositions(Origin, [HeardPosition])
        /// A position row is news, our own included.
        case positioned(VerifiedPosition)
        /// Compare control events on this link: its peer named an author that our roster does not know.
        case compareControls(LinkID)
        /// A sound run of a log that seems to fork: where it differs from the stored log, it is the proof.
        case compare(VerifiedRun)
        /// The right of this node to write has changed: keep the new state before anything is written.
        case ownLog(OwnLogState)
        /// The peer sent something that it should not have sent.
        case fault(Origin, GossipFault)
    }

    /// This node's own log, and whether it may be written.
    let own: MemberID
    /// Whether this node's own log may be written.
    package internal(set) var ownLog: OwnLog
    var authors: [UInt64: MemberID] = [:]
    var members: Set<MemberID> = []
    /// Those of the members on a person's device: witnesses of our own log.
    var people: Set<MemberID> = []
    /// The members that may announce. An announcement of any other member has no effect, and is no more urgent than
    /// chat.
    var leaders: Set<MemberID>
    /// Calls for help of other members that go ahead as well.
    var alarms = AlarmBudget()
    var ambiguous: Set<UInt64> = []
    /// The last sequence that counts, of each log that ends.
    var ends: [MemberID: UInt64] = [:]
    /// The share of each author's log.
    let share: LogShare
    /// The last accepted sequence of each log whose author wrote beyond its share.
    var shareEnds: [MemberID: UInt64] = [:]
    /// Authors whose logs seem to fork, and when this node asked for the other branch.
    var suspects: [MemberID: Instant] = [:]
    /// Verified and passed to the store, perhaps not stored yet.
    var accepted: [MemberID: Head]
    /// The last sequence being verified of each author; a second copy that arrives meanwhile is dropped unread.
    var verifying: [MemberID: UInt64] = [:]
    /// The last event of the node's own log seen with its signature, even outside any log.
    var shownOfOwnLog: UInt64 = 0
    /// The stored frontier: what this node claims to have.
    package internal(set) var stored: Frontier
    var links: [LinkID: GossipLink] = [:]
    /// The open links, and the member at the other end of each.
    package private(set) var neighbours: [LinkID: MemberID] = [:]
    var pulls: [MemberID: Pull] = [:]
    /// Whether a pull that waits for a free neighbour may find one now.
    var arePullsDue = false
    var nextPullID: UInt32 = 1
    var board = ClaimState()
    var positions = PositionState()
    /// Authors whose announcement is accepted and not stored yet: once stored, it is claimed at once.
    var announced: [MemberID: UInt64] = [:]
    var presence = Presence()
    /// Where each author's last event came from first; then the same for the root's last row.
    var arrivals: [MemberID: FirstArrival] = [:]
    var rootRow: FirstArrival?
    var burst: Burst?
    var changed: Set<MemberID> = []
    /// Those of the changed authors whose events were pulled: nobody else received them.
    var fetched: Set<MemberID> = []
    var haveDue: Instant?
    /// For each author the last event pulled because the tree had a hole there: other nodes lack it too.
    var mended: [MemberID: UInt64] = [:]
    /// The stored frontier when late `Have`s were last checked, and when they are checked next.
    var lateHeads = Frontier()
    var lateHaveDue: Instant?
    var segments: [SegmentID: Segment] = [:]
    /// Live events, kept for members of a segment that missed one.
    var recent = RecentEvents()
    /// Runs that arrived before the events they continue, by author and in order.
    var held: [MemberID: [HeldRun]] = [:]
    /// Urgent events accepted before the events they continue, and those that are being verified.
    var ahead = AheadEvents()
    var trials: Set<Run> = []
    /// The authors whose heads changed last, and the position of the turn through the others.
    var beaconNews: [MemberID] = []
    var beaconTurn = 0
    /// Recent events in the tour's order, and the frontiers derived from them.
    var timeline = Timeline()
    var wholes = WholeFrontiers()
    /// When each recently changed head changed.
    var newsAt: [MemberID: Instant] = [:]

    struct Head: Hashable, Sendable {
        var sequence: UInt64
        var id: EventID
        /// The previous event's id; nil when this node has not seen it since its start.
        var previous: EventID?
        /// The size of the log up to here.
        var size: LogSize
        /// The segments on which the event went out: members that hear them have it as well, if nothing was lost.
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

    /// - Parameter leaders: the members that may announce.
    /// - Parameter heads: the stored heads at the start.
    /// - Parameter sizes: the sizes of these logs.
    /// - Parameter ahead: the stored events ahead of their logs.
    /// - Parameter ownThrough: the last event of the node's own log that a control event shows.
    /// - Parameter people: the members on a person's device; nil: all whose log does not end.
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

    /// Applies one input and every timer that is due, and appends the outputs.
    package mutating func handle(
        _ input: Input, now: Instant, using rng: inout some RandomNumberGenerator, into outputs: inout [Output]
    ) {
        var step = Step(now: now, rng: rng, outputs: outputs)
        // Nobody else holds the outputs now, so they grow in place.
        outputs = []
        apply(input, &step)
        runTimers(&step)
        (rng, outputs) = (step.rng, step.outputs)
    }

    private mutating func apply(_ input: Input, _ step: inout Step<some RandomNumberGenerator>) {
        switch input {
        case .linkUp(let link, let member): linkUp(link, member, &step)
        case .linkDown(let link): linkDown(link, step.now)
        case .pressure(let link, let isLagging):
            links[link]?.isLagging = isLagging
            links[link]?.urgentWhileLagging = 0
            if !isLagging { caughtUp(link, &step) }
        case .message(let link, let message): receive(message, .link(link), &step)
        case .verified(let origin, let run): accept(origin, run, &step)
        case .refused(let origin, let author): refuse(origin, author, &step)
        case .skipped(let origin, let author): skip(origin, author, step.now)
        case .wrote(let events): publish(events, &step)
        case .stored(let heads): confirm(heads, &step)
        case .loaded(let link, let id, let events): loaded(link, id, events, &step)
        case .urgent(let link, let events): offer(events, on: link, &step)
        case .claims(let origin, let claims): accept(claims, from: origin, &step)
        case .forgedClaims(let origin, let count): forged(origin, count, step.now)
        case .claim(let claim): publish(own: claim, &step)
        case .positions(let origin, let rows): accept(positions: rows, from: origin, &step)
        case .position(let row): accept(positions: [row], from: nil, &step)
        case .segments(let ids): join(ids, &step)
        case .datagram(let segment, let datagram): receive(datagram, on: segment, &step)
        case .castAsks(let segment, let asks): send(asks, on: segment, &step)
        case .path(let link, let isOffered): links[link]?.path.offer(isOffered)
        case .unicast(let link, let datagram): receive(datagram, from: link, &step)
        case .readMoved(let clock): board.readMoved(to: clock, step.now, members: members.count, using: &step.rng)
        case .resend(let event, let hops): resend(event, hops: hops, &step)
        case .authors(let members, let leaders, let ends, let ownThrough, let people):
            self.leaders = leaders
            shownOfOwnLog = max(shownOfOwnLog, ownThrough)
            learn(members, ends, step.now)
            self.people = people ?? self.members.subtracting(ends.keys)
        case .settleOwnLog(let state): settle(ownLog: state, &step)
        case .fetched(let run): receive(run, .mailbox, &step)
        case .timer: break
        }
    }

    /// When the shell must call with `.timer` at the latest; nil while nothing waits. Computed once for each call, and
    /// cached.
    package private(set) var nextDeadline: Instant?

    /// Visits links and segments in place: a copy of one takes longer than the check.
    private mutating func updateDeadline() {
        var deadline = Deadline(haveDue)
        deadline.consider(links.isEmpty ? nil : board.ownDue)
        deadline.consider(lateHaveDue)
        deadline.consider(ownLog.due)
        deadline.consider(links.isEmpty ? nil : presence.due)
        for pull in pulls.values {
            if case .waiting(let until) = pull { deadline.consider(until) }
        }
        segments.visitValues { $0.addDueTimes(to: &deadline) }
        links.visitValues { $0.addDueTimes(to: &deadline) }
        nextDeadline = deadline.earliest
    }

    mutating func receive(
        _ message: LinkMessage, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let link = origin.link, links[link] != nil else { return }
        switch message {
        case .have(let heads): receiveHave(on: link, heads, &step)
        case .run(let run): receive(run, origin, &step)
        case .want(let want): wanted(link, want, &step)
        case .served(let id, _): served(link, id, step.now)
        case .prune: pruned(link, &step)
        case .rows(let rows): received(rows, origin, &step)
        case .positions(let rows): received(positions: rows, origin, &step)
        default: step.outputs.append(.fault(origin, .unexpectedMessage))
        }
    }

    private mutating func linkUp(
        _ link: LinkID, _ member: MemberID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        links[link] = GossipLink(member: member)
        neighbours[link] = member
        for id in segments.keys.sorted() { greet(on: id, &step) }
        for heads in wholeFrontier { step.outputs.append(.send(link, .have(heads))) }
        board.speak(step.now)
        owe(link, step.now)
        owePositions(link, step.now)
    }

    /// The whole stored frontier, in as many messages as it needs; one empty message if nothing is stored.
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
        // A peer that had no room for us never took part: nothing was exchanged on this link.
        guard lost.hasSpoken else { return }
        // The tree may have lost a branch: this node pushes to all remaining peers until duplicates prune again.
        for other in links.keys { links[other]?.isEager = true }
    }

    private mutating func learn(_ members: [MemberID], _ ends: [MemberID: UInt64], _ now: Instant) {
        // A log that continues after all is pulled again.
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
                // Two members share a prefix: their frontiers cannot be told apart, so neither is used.
                authors[prefix] = nil
                ambiguous.insert(prefix)
            } else {
                authors[prefix] = member
            }
        }
    }

    private mutating func runTimers(
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        reviewOwnLog(&step)
        // With most inputs nothing is due; one check here is cheaper than one in each of these.
        updateDeadline()
        guard arePullsDue || nextDeadline.map({ $0 <= step.now }) == true else { return }
        if let due = haveDue, due <= step.now { flushHaves(&step) }
        compareControls(&step)
        mendTree(&step)
        flushClaims(&step)
        flushPositions(&step)
        signOwnClaim(&step)
        runAirTimers(&step)
        runPaths(&step)
        startPulls(&step)
        updateDeadline()
    }

    /// Starts again from the stored heads after the store lost what it was given. Links open again; claims stay.
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
        // Members still hear each other as before; runs that waited to go out are not in the store.
        self.segments = segments.mapValues { segment in
            var segment = segment
            segment.pendingRuns = []
            segment.repairs = [:]
            return segment
        }
        updateDeadline()
    }

    /// Whether claims may name an author by this prefix.
    package func knows(prefix: UInt64) -> Bool { authors[prefix] != nil }

    /// The member with this prefix, if there is exactly one.
    package func member(prefix: UInt64) -> MemberID? { authors[prefix] }

    /// The last sequence of this author's log that counts and is within its share.
    func end(of author: MemberID) -> UInt64 { min(ends[author] ?? .max, shareEnds[author] ?? .max) }

    /// Whether this node lacks part of an author's log that reaches `sequence`.
    func lacks(_ author: MemberID, through sequence: UInt64) -> Bool {
        min(sequence, end(of: author)) >= expected(author)
    }

    /// The next sequence of this author that is news.
    func expected(_ author: MemberID) -> UInt64 {
        max(accepted[author]?.sequence ?? 0, verifying[author] ?? 0) + 1
    }
}

/// A peer's record that the replication rejects. Scope: the record.
package enum GossipFault: String, Fault {
    /// A message of another layer, or one that only opens a link.
    case unexpectedMessage = "unexpected-message"
    /// A run whose signature does not verify.
    case badRun = "bad-run"
    /// A sound run that does not continue the log held here: the author wrote a sequence twice.
    case forkedLog = "forked-log"
    /// More pulls at once than `Limits.servingMax`.
    case tooManyPulls = "too-many-pulls"
    /// A sound run that goes beyond its author's share.
    case beyondShare = "beyond-share"
    /// An event that crossed more links than `Limits.hopsMax`.
    case tooManyHops = "too-many-hops"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
