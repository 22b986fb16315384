import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

// The replication's outputs: which become effects, and which lead to another input.
extension TourMachine {
    func route(_ output: GossipMachine.Output, _ step: inout TourStep) {
        switch output {
        case .send(let link, let message): step.emit(.send(link, message))
        case .multicast(let segment, let datagram): step.emit(.multicast(segment, datagram))
        case .unicast(let link, let datagram): step.emit(.unicast(link, datagram))
        case .verify(let origin, let run): verify(run, origin, &step)
        case .store(let run): store(run, &step)
        case .storeAhead(let run):
            writer.witness(run.events, wallMilliseconds: wallMilliseconds(at: step.time))
            backlog.change(by: 1, reading: links, &step)
            step.emit(.storeAhead(run))
        case .load(let link, let id, let range, let bytesMax):
            step.emit(.load(link, id: id, range, bytesMax: bytesMax))
        case .loadUrgent(let link, let ranges): step.emit(.loadUrgent(link, ranges))
        case .verifyClaims(let origin, let heard): verify(heard, origin, &step)
        case .signClaim(let heads, let whole, let readThrough, let isAsleep):
            let claim = signer.sign(
                heads, whole, readThrough: readThrough, isAsleep: isAsleep, by: keys.identity, as: own, in: tour,
                wallMicroseconds: step.time.wallMicroseconds)
            step.emit(.signed(claim))
            inbox.append(.claim(claim))
        case .claimed(let claim, let origin, let isNewest): claimed(claim, origin, isNewest: isNewest, &step)
        case .covered(let member, let heads):
            receipts.record(heads, of: member, written: durableTail.sequence, &step)
        case .ownCounter(let counter):
            if signer.record(counter: counter), signer.recordTwinSign(now: step.now) { step.emit(.twin) }
        case .verifyPositions(let origin, let heard):
            rows.verify(heard, from: origin, in: group, &backlog, reading: links, &step)
        case .positioned(let position): step.emit(.positioned(position))
        case .compareControls(let link): compareControls(on: link, &step)
        case .compare(let run): compare(run, &step)
        case .ownLog(let state):
            step.emit(.saveOwnLog(state))
            // The others know of a fork once they have both branches, and perhaps nobody else has ours.
            if state == .forked { forkShownAt = step.now + Self.forkShown }
            if state == .retired { closeAll(&step) }
        case .fault(_, let fault): step.emit(.fault(fault))
        }
    }

    // MARK: - Runs

    /// Verifying one signature and this many hashes takes less time than waking another thread and being woken by it.
    private static let eventsVerifiedAtOnceMax = 4
    /// How long peers may still ask for our branch of a log that forks.
    private static let forkShown: Duration = .seconds(5)
    /// A full disk is not tried again at every redial.
    private static let storePause: Duration = .seconds(5)

    private func verify(_ run: Run, _ origin: Origin, _ step: inout TourStep) {
        // A server sends its answer once, and the events that introduce the author may still wait in the intake.
        if origin == .mailbox, group.roster.members[run.author] == nil { applyAll(&step) }
        guard let author = group.roster.members[run.author] else {
            return inbox.append(.skipped(origin, author: run.author))
        }
        // An urgent event does not wait for the runs being verified off the loop.
        let isPrompt =
            gossip.mayGoAhead(run, step.now)
            || backlog.verifying == 0 && run.events.count <= Self.eventsVerifiedAtOnceMax
        let weight = isPrompt ? 0 : Backlog.weight(run.events.count, bytes: run.byteCount)
        if !isPrompt {
            backlog.change(by: weight, reading: links, &step)
            backlog.recordVerifying(1)
        }
        step.emit(
            .verify(
                RunCheck(
                    origin: origin, run: run, identity: author.identity, tour: tour, isPrompt: isPrompt,
                    weight: weight)))
    }

    func checked(_ check: RunCheck, _ run: VerifiedRun?, _ step: inout TourStep) {
        if !check.isPrompt {
            backlog.recordVerifying(-1)
            backlog.change(by: -check.weight, reading: links, &step)
        }
        inbox.append(
            run.map { .verified(check.origin, $0) } ?? .refused(check.origin, author: check.run.author))
    }

    private func store(_ run: VerifiedRun, _ step: inout TourStep) {
        let controls = run.events.filter { $0.header.eventClass == .control }
        if !controls.isEmpty {
            intake.add(verified: controls)
            applyWaiting(&step)
        }
        writer.witness(run.events, wallMilliseconds: wallMilliseconds(at: step.time))
        backlog.change(by: Self.weight(run), reading: links, &step)
        step.emit(.store(run))
    }

    private static func weight(_ run: VerifiedRun) -> Int {
        Backlog.weight(run.events.count, bytes: run.events.reduce(0) { $0 + $1.bytes.count })
    }

    /// Events are in the store: they may be announced.
    func stored(_ run: VerifiedRun, _ events: [Event], _ step: inout TourStep) {
        backlog.change(by: -Self.weight(run), reading: links, &step)
        var heads = [MemberID: UInt64]()
        for event in events { heads[event.header.author] = event.header.sequence }
        if let own = events.last(where: { $0.header.author == own }) { writer.adopt(own) }
        recordUnreadable(events)
        receipts.recordChange(now: step.now)
        if gossip.lacks(stored: events) { inbox.append(.storedSinceRestart(events)) }
        inbox.append(.stored(heads))
        if isMember { ask(forks.questions(onStored: events, own: own, in: group), &step) }
    }

    /// Closes the links, and restarts the replication from the store.
    func storeFailed(_ run: VerifiedRun, isAhead: Bool, _ step: inout TourStep) {
        backlog.change(by: isAhead ? -1 : -Self.weight(run), reading: links, &step)
        closeAll(&step)
        links.pause(until: step.now + Self.storePause)
        step.emit(.reload)
    }

    // MARK: - Claims

    private func verify(_ heard: [HeardClaim], _ origin: Origin, _ step: inout TourStep) {
        // Followers learn at once of a member who was away; and the tree is pruned by which way the root's rows
        // arrive first.
        let (root, now) = (gossip.root, step.now)
        rows.verify(heard, from: origin, in: group, &backlog, reading: links, &step) {
            $0.claim.member == root || !isReachable($0.claim.member, now: now)
        }
    }

    private func claimed(
        _ claim: VerifiedClaim, _ origin: Origin, isNewest: Bool, _ step: inout TourStep
    ) {
        let member = claim.claim.member
        // An earlier run may have received a newer row, and stopped before storing it.
        let isNewest = isNewest && presence.signs.isNewest(claim.claim.counter, of: member)
        if isNewest {
            presence.recordRow(of: member, counter: claim.claim.counter, hops: claim.row.hops, at: step.time)
            // The member sent this itself, on a network that we share.
            if case .multicast(let segment) = origin, claim.row.hops == 1, let link = link(to: member) {
                step.emit(.livesElsewhere(link, quietMax: gossip.quietMax(on: segment)))
            }
        }
        // A row without a read clock says that nothing was read, or nothing any more.
        if isNewest {
            receipts.recordRead(claim.claim.readThrough ?? .zero, by: member, written: durableTail.sequence, &step)
        }
        step.emit(.claimed(claim))
    }

    /// Whether the member's newest row says that its device sleeps.
    package func isAsleep(_ member: MemberID) -> Bool {
        guard member != own, let newest = gossip.claims(of: member).first?.claim else { return false }
        // An earlier run may have received a newer row, and stopped before storing it.
        return newest.isAsleep && presence.signs.isNewest(newest.counter, of: member)
    }

    /// What the member's version can show, by its newest row; nil: it does not say.
    package func abilities(of member: MemberID) -> Abilities? { gossip.claims(of: member).first?.claim.understands }

    /// Whether the member counts as present when links are chosen.
    package func isPresent(_ member: MemberID, now: Instant) -> Bool {
        presence.isPresent(member, now: now) && !isAsleep(member)
    }

    /// Whether the member was heard of, directly or through others, in the last 30 s, and does not sleep. False once
    /// we are out: nobody tells us any more.
    package func isReachable(_ member: MemberID, now: Instant) -> Bool {
        if member == own { return true }
        // The link to a member that sleeps lasts until its silence ends it.
        if isOut || isAsleep(member) { return false }
        return presence.signs.at(member).map { now - $0 < Limits.presenceLifetime } ?? false
            || gossip.neighbours.values.contains(member)
    }
}
