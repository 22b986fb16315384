import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourWire

/// One tour while it runs on one node: its replication, roster, keys and own log, and the decisions between them. Pure:
/// the same inputs at the same times give the same effects.
///
/// A node and the simulator play the same machine: each hands it inputs one after the other, and carries out the
/// effects of one before it hands it the next.
///
/// A class, so that asking it something never copies it: it is asked for each datagram. It belongs to one owner.
package final class TourMachine {
    /// The tour.
    package let tour: TourID
    /// Our identity, link and newest wrapping key.
    package internal(set) var keys: MemberKeys
    /// Our wrapping keys; that of `keys` is one of them.
    package internal(set) var wrapping: WrappingKeys
    /// The roster, ranks and epochs.
    package internal(set) var group: TourGroup
    /// The replication.
    package internal(set) var gossip: GossipMachine
    /// Who is there.
    package var presence: MemberPresence
    /// How far messages have come.
    package var receipts: TourReceipts
    /// What the user and a server say about the tour.
    package var use = TourUse()
    var writer: OwnWriter
    var links = OpenLinks()
    var intake = ControlIntake()
    var schedule = KeySchedule()
    var signer: ClaimSigner
    var rows = RowChecks()
    var forks = ForkProofs()
    var backlog = Backlog()
    /// Inputs that follow from outputs of the replication, in order.
    var inbox: [GossipMachine.Input] = []
    private(set) var isStopping = false
    /// When the links end, since another device writes with our key.
    var forkShownAt: Instant?

    package init(_ start: TourStart) {
        tour = start.group.tour
        keys = start.keys
        wrapping = start.wrapping
        group = start.group
        gossip = start.gossip
        presence = MemberPresence(start.signs)
        receipts = TourReceipts(start.receipts)
        writer = OwnWriter(start.author)
        signer = ClaimSigner(
            startedAt: start.startedAt, counter: start.claimCounter, understands: start.understands)
        receipts.recordMembers(group.roster)
    }

    /// Our member id.
    package var own: MemberID { writer.id }

    // MARK: - Steps

    /// Applies one input and everything that is due, and appends the effects to the step. `ended` follows.
    package func handle(_ input: TourInput, _ step: inout TourStep) {
        switch input {
        case .linkOpened(let link, let peer, let hasPath): open(link, peer, hasPath: hasPath, &step)
        case .linkClosed(let link): close(link)
        case .message(let link, let message): receive(message, on: link, &step)
        case .controls(let events):
            intake.add(events, from: nil)
            applyAll(&step)
        case .checked(let check, let run): checked(check, run, &step)
        case .checkedClaims(let check, let claims):
            inbox += rows.checked(check, claims, &backlog, reading: links, &step)
        case .checkedPositions(let check, let sound):
            inbox += rows.checked(check, sound, &backlog, reading: links, &step)
        case .stored(let run, let events): stored(run, events, &step)
        case .storedAhead(let run):
            recordUnreadable(run.events)
            backlog.change(by: -1, reading: links, &step)
            if gossip.lacks(stored: run.events) { inbox.append(.storedSinceRestart(run.events)) }
        case .storeFailed(let run, let isAhead): storeFailed(run, isAhead: isAhead, &step)
        case .reloaded(let logs): gossip.restart(heads: logs.heads, sizes: logs.sizes, ahead: logs.ahead)
        case .wrote(let own, let isStored): wrote(own, isStored: isStored, &step)
        case .forkFound(let proof, let author):
            guard isMember, forks.accept(proof, of: author, in: group) else { break }
            step.emit(.writeFork(proof, of: author))
        case .forkNotWritten(let author): forks.forget(author)
        case .rekeyed(let isWritten):
            schedule.endRekey(isWritten: isWritten)
            // Members whom we removed meanwhile: their rekey does not wait for a turn.
            if isWritten { considerRekey(isOwnAct: true, &step) }
        case .publishedKey: schedule.endPublishing()
        case .madeInvite: schedule.setInviting(false)
        case .removalsEnded:
            schedule.setRemovingSeveral(false)
            followEpochs(isOwnAct: true, &step)
        case .heldByServer(let through): heldByServer(through: through, &step)
        case .read(let clock):
            receipts.recordRead(clock, by: own, written: durableTail.sequence, &step)
            inbox.append(.readMoved(clock))
        case .replication(let input): inbox.append(input)
        case .timer: break
        }
        runTimers(&step)
        drainInbox(&step)
        // What just became due needs no step of its own.
        guard let due = ownDeadline, due <= step.now else { return }
        runTimers(&step)
        drainInbox(&step)
    }

    /// The step is over, at this time: long work is followed by a rest, in which other work gets its turn.
    package func ended(_ step: borrowing TourStep, at now: Instant) {
        intake.worked(from: step.time.now, to: now)
    }

    private func drainInbox(_ step: inout TourStep) {
        var outputs = [GossipMachine.Output]()
        var next = 0
        while next < inbox.count {
            let input = inbox[next]
            next += 1
            gossip.handle(input, now: step.now, using: &step.rng, into: &outputs)
            for output in outputs { route(output, &step) }
            outputs.removeAll(keepingCapacity: true)
        }
        inbox.removeAll(keepingCapacity: true)
    }

    private func runTimers(_ step: inout TourStep) {
        guard !isStopping else { return }
        if let due = intake.deadline, due <= step.now { applyTurn(&step) }
        if let due = forkShownAt, due <= step.now {
            forkShownAt = nil
            closeAll(&step)
        }
        rows.verifyDue(in: group, &backlog, reading: links, &step)
        if receipts.consumeDue(now: step.now) { step.emit(.refreshStatuses) }
        if schedule.consumeReview(now: step.now) { reviewKeys(&step) }
        if schedule.consumeTurn(now: step.now) { beginTurn(&step) }
        if schedule.consumePublishing(now: step.now) { publishKey(&step) }
        if inbox.isEmpty, let due = gossip.nextDeadline, due <= step.now { inbox.append(.timer) }
    }

    /// When `.timer` must follow at the latest; nil while nothing waits.
    package var nextDeadline: Instant? {
        guard !isStopping else { return nil }
        return Instant.earlier(gossip.nextDeadline, ownDeadline)
    }

    /// When something beside the replication is due.
    private var ownDeadline: Instant? {
        Instant.earlier(
            Instant.earlier(Instant.earlier(intake.deadline, forkShownAt), rows.dueAt),
            Instant.earlier(receipts.dueAt, schedule.deadline))
    }

    /// The node stops: nothing new begins.
    package func stop() { isStopping = true }

    // MARK: - Standing

    /// Whether messages may be written: the tour is not closed and we have not left.
    package var isActive: Bool {
        use.isJoined && !hasLostKey && !group.roster.isClosed && group.roster.members[own]?.isActive == true
    }

    /// Whether we have left, as our log says.
    package var hasLeft: Bool { group.roster.members[own]?.hasLeft == true }

    /// Whether our membership is over: we have left, were removed, or our log forks.
    package var isOut: Bool { group.roster.members[own]?.isActive == false }

    /// Whether this node belongs to the tour, closed or not.
    package var isMember: Bool { use.isJoined && !isOut && !hasLostKey }

    /// Whether our key in this tour must never be used again: another device wrote with it, or the user gave it up.
    package var hasLostKey: Bool {
        // Called for each datagram, so it reads the state alone and copies no machine.
        let state = gossip.ownLog.state
        return state == .forked || state == .retired
    }

    /// We hold no epoch's key any more: readable events are in the archive.
    package var hasWipedKeys: Bool { group.keptKeys.isEmpty }

    /// Our rank.
    package var rank: Rank { group.roster.rank(of: own) ?? .member }

    /// Whether links may be used: not for a while after the store failed.
    package func acceptsLinks(now: Instant) -> Bool { links.accepts(now: now) }

    /// Whether a linked peer counts us as a member, or may.
    package var isRecognised: Bool { links.isRecognised }

    /// The last counter with which we signed a claim.
    package var claimCounter: UInt64 { signer.counter }

    /// When another device last signed with our key, once that is certain.
    package var twinSeenAt: Instant? { signer.twinSeenAt }

    /// Whether too much waits to read from the links.
    package var isHoldingBack: Bool { backlog.isHoldingBack }

    /// Whether events of others wait for the verifier or the store.
    package var isBusy: Bool { backlog.events > 0 }

    /// The last clock that we wrote or saw.
    package var clock: LogicalClock { writer.clock }

    /// Whether events of ours are being stored.
    package var isWriting: Bool { writer.isWriting }

    /// Results of the checks and writes that an earlier membership of ours in this tour began come here.
    package func inheritWork(of left: TourMachine) { backlog = left.backlog }

    // MARK: - Time

    /// The time for events that we write, in milliseconds since 1970.
    package func wallMilliseconds(at time: ClockReading) -> Int64 {
        presence.wallMilliseconds(at: time, beside: gossip.neighbours.values)
    }

    /// Whether an event is less than a day old: by our own clock, or by that of its author, since either may be
    /// wrong; for an alarm also by the clock of any linked member, since no alarm may be missed.
    /// Source: `Protocol/05-events.md`, "Alarms".
    package func isRecent(
        _ clock: LogicalClock, of author: MemberID, isAlarm: Bool = false, at time: ClockReading
    ) -> Bool {
        presence.isRecent(
            clock, by: author, at: time, beside: gossip.neighbours.values, witnessed: isAlarm)
    }

    // MARK: - Writing

    /// The size of our log, including events that are being stored.
    package var ownSize: LogSize {
        var size = gossip.logSize(of: own)
        size.add(writer.unstoredSize)
        return size
    }

    /// Whether our log has room for one more event of this class.
    /// - Parameter governs: the event may use the part of our share that is reserved for governing the tour.
    package func hasRoom(for eventClass: EventClass, governs: Bool = false) -> Bool {
        (governs ? LogShare.ofTour : .ordinary).hasRoom(for: eventClass, after: ownSize)
    }

    /// Where our own log ends on the disk.
    package var durableTail: Author.Tail { writer.durableTail }

    /// Chains and signs events behind all that were composed before. The shell stores them and answers by
    /// `TourInput.wrote`; nothing is sent before.
    /// - Parameter governs: whether the events may use the reserved part of our share.
    /// - Returns: nil if `compose` makes no events; nothing is changed then, nor when an error is thrown.
    package func compose(
        governs: Bool = false, at time: ClockReading,
        _ compose: (inout Author, _ wallMilliseconds: Int64) -> [Event]
    ) throws(WriteRefusal) -> OwnEvents? {
        guard gossip.ownLog.state == .ready else { throw .ownLog(gossip.ownLog.state) }
        let share = governs ? LogShare.ofTour : .ordinary
        return try writer.compose(
            after: gossip.logSize(of: own), within: share, wallMilliseconds: wallMilliseconds(at: time), compose)
    }

    private func wrote(_ own: OwnEvents, isStored: Bool, _ step: inout TourStep) {
        writer.record(own, isStored: isStored)
        guard isStored else { return }
        let controls = group.add(verified: own.events)
        if !controls.isEmpty { controlsAdded(controls, &step) }
        receipts.recordChange(now: step.now)
        inbox.append(.wrote(own.events))
    }

    // MARK: - Statuses

    /// Works out how far messages have come.
    /// - Parameters:
    ///   - authors: those to look at, and the end of each one's log; nil: all.
    ///   - first: finds the first message of an author from some clock on.
    /// - Returns: per author the sequences whose status changed, and the marks to store.
    package func refreshStatuses(
        of authors: [MemberID: UInt64]? = nil, first: ReceiptState.Search
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        receipts.refresh(of: authors ?? gossip.stored.heads, first: first)
    }

    private func heldByServer(through sequence: UInt64, _ step: inout TourStep) {
        receipts.recordServer(through: sequence, written: durableTail.sequence, &step)
        guard sequence > use.ownThroughAtServer else { return }
        use.ownThroughAtServer = sequence
        let stored: UInt64 = gossip.stored[own]
        // The server has events that we wrote and do not hold: we must write nothing before they are here.
        if sequence > stored { feedRoster() }
    }
}

/// What the machine must know of a tour and cannot see itself.
package struct TourUse: Hashable, Sendable {
    /// The user is in the tour, and has not left it.
    package var isJoined = true
    /// When the tour was last used here, in milliseconds since 1970.
    package var usedAt: Int64 = 0
    /// How far a server holds our log.
    package var ownThroughAtServer: UInt64 = 0

    package init() {}
}
