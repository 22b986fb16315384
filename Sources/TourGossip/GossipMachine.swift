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
    package typealias Input = GossipInput
    /// An action that the machine asks the shell to carry out.
    package typealias Output = GossipOutput

    let own: MemberID
    /// The members whose events are accepted.
    var authors = Authors()
    /// What this node has of each author's log.
    var logs: Logs
    /// Runs that arrived before the events they continue.
    var held = HeldRuns()
    /// Events that overtake their logs.
    var urgent: UrgentEvents
    /// Recent events in the tour's order.
    var order = TourOrder()
    /// Whether this node's own log may be written.
    package internal(set) var ownLog: OwnLog
    /// The open links.
    var links = Links()
    /// Which of them get pushes.
    var tree: PushTree
    /// When frontiers are sent.
    var haves = Haves()
    /// Missing events, and whom they are pulled from.
    var pulls = Pulls()
    /// The segments, and what goes out there.
    var multicast: Multicast
    /// What members state about themselves.
    var claims = ClaimState()
    /// Where members are.
    var positions = PositionState()
    /// When the shell must call with `.timer` at the latest; nil while nothing waits. Computed once for each call, and
    /// cached.
    package private(set) var nextDeadline: Instant?

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
        logs = Logs(heads: heads, sizes: sizes, ends: ends, share: share)
        urgent = UrgentEvents(leaders: leaders, ahead: ahead)
        tree = PushTree(own: own)
        multicast = Multicast(own: own)
        self.ownLog = OwnLog(ownLog, shownThrough: ownThrough)
        authors.add(members)
        authors.set(people: people, ended: ends.keys)
    }

    /// Starts again from the stored heads after the store lost what it was given. Links open again; claims stay.
    package mutating func restart(
        heads: [MemberID: (sequence: UInt64, id: EventID)], sizes: [MemberID: LogSize] = [:], ahead: [Event] = []
    ) {
        let old = self
        self = GossipMachine(
            own: own, members: authors.members, leaders: urgent.leaders, ends: logs.ends, heads: heads, sizes: sizes,
            ahead: ahead, ownLog: ownLog.state, ownThrough: ownLog.shownThrough, share: logs.share,
            people: authors.people)
        order.keepTimeline(of: old.order)
        logs.keepShareEnds(of: old.logs)
        positions = old.positions
        restore(old.claims.all, readThrough: old.claims.ownRead)
        multicast.keepSegments(of: old.multicast)
        updateDeadline()
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
        case .linkDown(let link): linkDown(link)
        case .pressure(let link, let isLagging):
            links[link]?.set(isLagging: isLagging)
            if !isLagging {
                Haves.catchUp(link, logs, links, &step)
                links.serve(link, logs, &step)
            }
        case .message(let link, let message): receive(message, .link(link), &step)
        case .verified(let origin, let run): accept(origin, run, &step)
        case .refused(let origin, let author): refuse(origin, author, &step)
        case .skipped(let origin, let author): skip(origin, author, step.now)
        case .wrote(let events): publish(events, &step)
        case .stored(let heads): confirm(heads, &step)
        case .storedSinceRestart(let events): adopt(events, &step)
        case .loaded(let link, let id, let events): links.loaded(link, id, events, logs, &step)
        case .urgent(let link, let events): urgent.offer(events, on: link, logs, &links, &step)
        case .claims(let origin, let claims): accept(claims, from: origin, &step)
        case .forgedClaims(let origin, let count): ClaimState.recordForged(count, origin, &multicast, &links, step.now)
        case .claim(let claim): publish(own: claim, &step)
        case .positions(let origin, let rows): positions.accept(rows, from: origin, own: own, logs, &links, &step)
        case .position(let row): positions.accept([row], from: nil, own: own, logs, &links, &step)
        case .segments(let ids): multicast.join(ids, members: authors.members.count, &step)
        case .datagram(let segment, let datagram): receive(datagram, on: segment, &step)
        case .castAsks(let segment, let asks): multicast.send(asks, on: segment, &step)
        case .path(let link, let isOffered): links[link]?.path.offer(isOffered)
        case .unicast(let link, let datagram): receive(datagram, from: link, &step)
        case .readMoved(let clock): claims.readMoved(to: clock, members: authors.members.count, &step)
        case .rest(let isAsleep): claims.rest(isAsleep: isAsleep, step.now)
        case .resend(let event, let hops): resend(event, hops: hops, &step)
        case .authors(let members, let leaders, let ends, let ownThrough, let people):
            urgent.set(leaders: leaders)
            ownLog.recordShown(ownThrough)
            set(members, ends, &step)
            authors.set(people: people, ended: ends.keys)
        case .settleOwnLog(let state): if ownLog.settle(state) { step.outputs.append(.ownLog(state)) }
        case .fetched(let run): receive(run, .mailbox, &step)
        case .timer: break
        }
    }

    /// Applies the roster as it is now.
    private mutating func set(
        _ members: [MemberID], _ ends: [MemberID: UInt64], _ step: inout Step<some RandomNumberGenerator>
    ) {
        let old = logs.ends
        // A log that continues after all is pulled again.
        let resumed = logs.set(ends: ends)
        order.clearFrontiers()
        for author in resumed { pulls.schedule(author, at: step.now) }
        authors.add(members)
        for author in links.resolveUnknown(authors, logs) { pulls.schedule(author, at: step.now) }
        // A peer with another event behind the end has the same before it.
        for author in ends.keys.sorted() where ends[author] != old[author] { compareHeard(of: author, since: 0, &step) }
    }

    // MARK: - Timers

    /// Visits links and segments in place: a copy of one takes longer than the check.
    private mutating func updateDeadline() {
        var deadline = Deadline(haves.due)
        deadline.consider(links.isEmpty ? nil : claims.ownDue)
        deadline.consider(haves.lateDue)
        deadline.consider(ownLog.due)
        deadline.consider(links.isEmpty ? nil : tree.due)
        pulls.addDueTimes(to: &deadline)
        multicast.addDueTimes(to: &deadline)
        links.addDueTimes(to: &deadline)
        nextDeadline = deadline.earliest
    }

    private mutating func runTimers(_ step: inout Step<some RandomNumberGenerator>) {
        reviewOwnLog(&step)
        // With most inputs nothing is due; one check here is cheaper than one in each of these.
        updateDeadline()
        guard pulls.areDue || nextDeadline.map({ $0 <= step.now }) == true else { return }
        haves.flush(logs, multicast, &links, &step)
        links.compareControls(&step)
        if let link = tree.mend(multicast, links, &step) {
            graft(link, [], &step)
            links[link]?.claims.addAll(of: claims, step.now)
        }
        claims.flush(root: tree.root, &links, &step)
        positions.flush(&links, &step)
        signOwnClaim(&step)
        runMulticast(&step)
        runPaths(&step)
        let wants = pulls.assign(logs, &links, &step)
        for link in wants.keys.sorted() {
            guard let ranges = wants[link], pulls.ask(link, ranges, &links, &step) else { continue }
            tree.join(link, logs, multicast, &links, &step)
        }
        updateDeadline()
    }

    private mutating func runMulticast(_ step: inout Step<some RandomNumberGenerator>) {
        multicast.run(logs, held, urgent, claims, links, &pulls, &step)
        guard let due = haves.lateDue, due <= step.now else { return }
        haves.flushLate(
            pause: multicast.lateHaveDelay(members: authors.members.count, step.now), logs, multicast, &links, &step)
    }

    private mutating func runPaths(_ step: inout Step<some RandomNumberGenerator>) {
        for link in links.ids {
            for heads in links.runPath(link, multicast, &step) {
                haves.scheduleAgain(heads.compactMap { authors[$0.prefix] }, on: link, &links, &step)
            }
        }
    }

    private mutating func reviewOwnLog(_ step: inout Step<some RandomNumberGenerator>) {
        guard ownLog.state.isRecovering else { return }
        let isAnswered = ownLogWitnesses.areEnough && links.values.allSatisfy(\.hasSpoken)
        if ownLog.review(isWhole: isAnswered && saidOfOwnLog <= logs.stored[own], step.now) {
            step.outputs.append(.ownLog(.ready))
        }
    }

    /// The length of our log, as far as anybody shows: neighbours, members' rows, rows of our own that others kept, and
    /// events of ours that travel without their log.
    private var saidOfOwnLog: UInt64 {
        max(links.reach(own), claims.highest[own.prefix] ?? 0, ownLog.shownThrough)
    }
}
