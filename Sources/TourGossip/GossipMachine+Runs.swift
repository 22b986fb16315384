import TourCrypto
import TourModel
import TourWire

// Live events: received, accepted, passed on, announced.
extension GossipMachine {
    // MARK: - Received

    mutating func receive(_ whole: Run, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        guard let run = whole.prefix(through: logs.end(of: whole.author)) else { return }
        guard run.hops < Limits.hopsMax else {
            step.outputs.append(.fault(origin, .tooManyHops))
            return
        }
        switch origin {
        case .link(let link), .path(let link):
            guard links[link]?.isDistrusted != true, links[link]?.pulls.badAuthors.contains(run.author) != true else {
                return
            }
            if !run.pushed { links[link]?.pulls.recordProgress(step.now) }
            guard authors.members.contains(run.author) else {
                let head = PrefixedHead(prefix: run.author.prefix, sequence: run.last)
                return links.record(unknown: head, of: link, authors, step.now)
            }
            if let member = links[link]?.member { links[link]?.peer.record(run, ofMember: member) }
        case .multicast(let id):
            // The links' frontiers will show that the roster lacks the author.
            guard authors.members.contains(run.author) else { return }
            multicast.cancelRelay(of: run, on: id, step.now)
        case .mailbox: guard authors.members.contains(run.author) else { return }
        }
        if urgent.holds(run) { return }
        let next = logs.expected(run.author)
        if run.last < next {
            if isAskedFor(run.author, isPushed: run.pushed, origin) || logs.mayContradict(run) {
                return step.outputs.append(.verify(origin, run))
            }
            // Urgent events go out on every link: a second copy of one says nothing about the tree.
            if run.pushed, !urgent.goesAhead(run) { tree.cameTwice(run.author, run.last, origin, &links, &step) }
            return
        }
        guard run.first <= next else {
            if !tryAhead(run, origin, &step) { missedBefore(run, origin, &step) }
            return
        }
        logs.beginVerifying(run)
        tree.recordArrival(of: run, from: origin, step.now)
        step.outputs.append(.verify(origin, run))
    }

    /// Something before the run is missing: on a link no push will bring it; on a segment another member has it at
    /// hand.
    private mutating func missedBefore(_ run: Run, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        switch origin {
        case .link(let link) where links[link]?.path.isProven != true: pulls.schedule(run.author, at: step.now)
        case .link, .path:
            // The run may have overtaken its predecessor.
            held.hold(run, from: origin)
            pulls.schedule(run.author, at: step.now + HeldRuns.patience)
        case .multicast(let id):
            held.hold(run, from: origin)
            miss(run.author, through: run.first - 1, on: id, &step)
        // The mailbox client continues from what is stored.
        case .mailbox: break
        }
    }

    /// Handles a run behind a gap. An urgent event need not wait for the events before it.
    /// - Returns: whether the run is accepted ahead of the log.
    private mutating func tryAhead(
        _ run: Run, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) -> Bool {
        // Our own log is restored in order, since we append to it; an event of ours ahead of it shows how long it is.
        guard run.author != own || ownLog.state.isRecovering, urgent.canTry(run, logs, step.now) else { return false }
        if urgent.beginTrial(of: run) { step.outputs.append(.verify(origin, run)) }
        if case .multicast(let id) = origin { miss(run.author, through: run.first - 1, on: id, &step) }
        return true
    }

    /// Events of an author up to `last` are missing, as a datagram shows.
    mutating func miss(
        _ author: MemberID, through last: UInt64, on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>
    ) { if multicast.miss(author, through: last, on: id, logs, &step) { pulls.schedule(author, at: step.now) } }

    // MARK: - Verified

    mutating func accept(_ origin: Origin, _ run: VerifiedRun, _ step: inout Step<some RandomNumberGenerator>) {
        let head = logs.head(of: run.author) ?? Logs.Head(sequence: 0, id: .none, size: .zero)
        if run.goesAhead {
            urgent.endTrial(of: run)
            if urgent.mayGoAhead(run.author, step.now), run.first > head.sequence + 1 {
                return accept(ahead: run, origin, &step)
            }
        }
        logs.endVerifying(run)
        guard run.last > head.sequence else { return compare(run, origin, &step) }
        // The roster may have learnt meanwhile that the log ends earlier.
        guard run.last <= logs.end(of: run.author), run.first <= head.sequence + 1 else {
            return pulls.schedule(run.author, at: step.now)
        }
        let news = run.events[Int(head.sequence + 1 - run.first)...]
        guard let first = news.first, first.header.previous == head.id, let last = news.last else {
            forked(run.author, origin, &step)
            suspect(run, origin, through: head.sequence, &step)
            if let link = origin.link { links[link]?.pulls.refuse(run.author, step.now, least: GossipLink.forkPause) }
            pulls.pullElsewhere(run.author, not: origin.link)
            return
        }
        var size = head.size
        let taken = size.add(news, within: logs.share)
        guard taken == news.count else {
            step.outputs.append(.fault(origin, .beyondShare))
            return endShare(of: run.author, at: first.header.sequence + UInt64(taken) - 1, step.now)
        }
        logs.accept(Logs.Head(last, size: size), of: run.author)
        if run.pushed { urgent.grantAlarms(news, step.now) }
        urgent.recordAnnouncement(in: news)
        claims.hold(news, own: own)
        order.add(news, step.now)
        if let news = run.suffix(from: first.header.sequence) { step.outputs.append(.store(news)) }
        if run.pushed {
            if origin.link != nil { tree.recordBurst(of: run.author, events: news.count, step.now) }
            passOn(Array(news), after: head.aired, hops: run.hops, from: origin, &step)
        } else {
            haves.add(fetched: run.author)
        }
        urgent.merge(news, origin, &step)
        urgent.settle(run.author, origin, &logs, &step)
        while let first = held.dequeue(run.author, expected: logs.expected(run.author)) {
            receive(first.run, first.origin, &step)
        }
    }

    /// Keeps, shows and passes on a verified urgent event.
    private mutating func accept(
        ahead run: VerifiedRun, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let event = run.events[0]
        logs.endVerifying(ahead: run)
        if run.author == own {
            ownLog.recordShown(run.last)
            return pulls.schedule(own, at: step.now)
        }
        if let known = urgent.known(event) {
            if known.id != event.id { step.outputs.append(.fault(origin, .forkedLog)) }
            return
        }
        guard urgent.hasRoom(for: event, logs) else { return pulls.schedule(run.author, at: step.now) }
        urgent.add(event, step.now)
        claims.hold([event], own: own)
        order.add([event], step.now)
        step.outputs.append(.storeAhead(run))
        passOn([event], after: [], hops: run.hops, from: origin, &step)
    }

    /// A sound run goes beyond its author's share: the log ends here for everybody. The events within the share arrive
    /// as a run of their own, proven by its own last signature.
    private mutating func endShare(of author: MemberID, at last: UInt64, _ now: Instant) {
        logs.endShare(of: author, at: last)
        held.removeAll(of: author)
        urgent.removeAll(of: author, behind: last)
        if logs.expected(author) <= last { pulls.schedule(author, at: now) }
    }

    /// Whether this node asked for events that it holds: for another branch of the log.
    private func isAskedFor(_ author: MemberID, isPushed: Bool, _ origin: Origin) -> Bool {
        guard !isPushed else { return false }
        return logs.isSuspect(author) || origin.link.map { links[$0]?.pulls.isDoubted(author) == true } ?? false
    }

    /// A sound run holds no place that is news: compares its last event with ours.
    private mutating func compare(
        _ run: VerifiedRun, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let last = run.events.last, let ours = order.id(of: run.author, at: run.last, logs) else {
            if isAskedFor(run.author, isPushed: run.pushed, origin) { step.outputs.append(.compare(run)) }
            return
        }
        guard last.id != ours else {
            if logs.head(of: run.author)?.id == ours {
                logs.record(signature: Array(last.signature), of: run.author)
            }
            // The peer named another event at a place where it holds ours: like a forged run, that counts against it.
            if let link = origin.link, links[link]?.pulls.refute(run.author, in: run.first...run.last) == true {
                links[link]?.recordBadRuns()
            }
            return
        }
        forked(run.author, origin, &step)
        suspect(run, origin, through: run.last, &step)
    }

    /// A sound run contradicts the log held here: its author, perhaps this node, wrote a sequence twice.
    private mutating func forked(_ author: MemberID, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        step.outputs.append(.fault(origin, .forkedLog))
        if author == own, ownLog.recordFork() { step.outputs.append(.ownLog(.forked)) }
    }

    /// A log seems to fork: once in a while this node asks the peer for its branch, which shows where. For a run from a
    /// datagram it asks the author.
    private mutating func suspect(
        _ run: VerifiedRun, _ origin: Origin, through last: UInt64, _ step: inout Step<some RandomNumberGenerator>
    ) {
        if run.first <= last { step.outputs.append(.compare(run)) }
        // A branch that this node asked for because of a tag comes as a whole.
        if let link = origin.link, links[link]?.pulls.isDoubted(run.author) == true { return }
        pulls.askForBranch(of: run.author, origin.link, through: last, &logs, links, &step)
    }

    mutating func refuse(_ origin: Origin, _ author: MemberID, _ step: inout Step<some RandomNumberGenerator>) {
        logs.endVerifying(of: author)
        urgent.endTrials(of: author)
        switch origin {
        case .link(let link), .path(let link): links[link]?.pulls.recordBadRun(of: author, step.now)
        case .multicast(let id): multicast.recordBadRun(on: id, step.now)
        case .mailbox: break
        }
        step.outputs.append(.fault(origin, .badRun))
        // Runs that others sent meanwhile were dropped as known.
        pulls.pullElsewhere(author, not: origin.link)
    }

    /// The roster does not explain this author (any more): no peer is to blame.
    mutating func skip(_ origin: Origin, _ author: MemberID, _ now: Instant) {
        logs.endVerifying(of: author)
        urgent.endTrials(of: author)
        if let link = origin.link { links[link]?.pulls.refuse(author, now) }
    }

    // MARK: - Passed on

    /// Passes live events on: to segments where their sender is not heard, and to neighbours that no datagram reaches.
    ///
    /// - Parameter before: the segments that had the author's previous event.
    private mutating func passOn(
        _ events: [Event], after before: [SegmentID], hops: Int, from origin: Origin,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        multicast.keep(events, hops: hops)
        let source = origin.link.flatMap { links[$0]?.member }
        let others = multicast.active(step.now).filter { id in
            origin != .multicast(id) && source.map { !multicast.hears($0, on: id, step.now) } ?? true
        }
        var reached = multicast.schedule(events, hops: hops, on: others, from: origin, urgent, &step)
        if case .multicast(let id) = origin { reached.append(id) }
        logs.recordMulticast(of: events, on: reached)
        tree.push(
            events, after: before, hops: hops, except: origin.link, reached: reached, urgent, multicast, logs, &links,
            &step)
    }

    mutating func publish(_ events: [Event], _ step: inout Step<some RandomNumberGenerator>) {
        guard let last = events.last else { return }
        let before = logs.head(of: own)?.aired ?? []
        var size = logs.size(of: own)
        for event in events { size.add(event.header.eventClass, byteCount: event.bytes.count) }
        logs.accept(Logs.Head(last, size: size), of: own)
        urgent.grantAlarms(events, step.now)
        urgent.recordAnnouncement(in: events)
        order.add(events, step.now)
        multicast.keep(events, hops: 0)
        let reached = multicast.schedule(events, hops: 0, on: multicast.active(step.now), from: nil, urgent, &step)
        logs.recordMulticast(of: events, on: reached)
        // Events sent on segments reach others without links: nodes would not agree on the decider if they counted.
        if !links.isEmpty, reached.isEmpty { tree.recordBurst(of: own, events: events.count, step.now) }
        tree.push(events, after: before, hops: 0, except: nil, reached: reached, urgent, multicast, logs, &links, &step)
        confirm([own: last.header.sequence], &step)
    }

    /// Sends a stored event again: on every segment, and on every link whose peer does not claim to have it, pruned
    /// links included; a peer that lacks events before it in the log pulls them.
    mutating func resend(_ event: Event, hops: Int, _ step: inout Step<some RandomNumberGenerator>) {
        let header = event.header
        guard hops < Limits.hopsMax, header.sequence <= logs.stored[header.author] else { return }
        multicast.keep([event], hops: hops)
        _ = multicast.schedule([event], hops: hops, on: multicast.active(step.now), from: nil, urgent, &step)
        PushTree.resend(event, hops: hops, claims, &links, &step)
    }

    // MARK: - Stored

    /// Whether stored events are unknown here: they were on their way to the store when `restart` read it. A peer would
    /// be asked for them, and the store refuses them a second time.
    package func lacks(stored events: [Event]) -> Bool {
        guard let last = events.last, logs.head(of: last.header.author)?.sequence ?? 0 < last.header.sequence else {
            return false
        }
        return urgent.known(last) == nil
    }

    mutating func adopt(_ events: [Event], _ step: inout Step<some RandomNumberGenerator>) {
        guard let author = events.first?.header.author else { return }
        for event in events {
            let head = logs.head(of: author) ?? Logs.Head(sequence: 0, id: .none, size: .zero)
            if event.header.sequence == head.sequence + 1, event.header.previous == head.id {
                var size = head.size
                size.add(event.header.eventClass, byteCount: event.bytes.count)
                logs.accept(Logs.Head(event, size: size), of: author)
            } else if event.header.eventClass.goesAhead, event.header.sequence > head.sequence + 1,
                urgent.hasRoom(for: event, logs)
            {
                urgent.add(event, step.now)
            }
        }
        urgent.settle(author, .mailbox, &logs, &step)
    }

    mutating func confirm(_ heads: [MemberID: UInt64], _ step: inout Step<some RandomNumberGenerator>) {
        var isUrgent = false
        order.clearFrontiers()
        // The same order everywhere: a beacon lists news in the order in which it was recorded.
        let ordered = heads.count > 1 ? heads.sorted { $0.key < $1.key } : Array(heads)
        for (author, sequence) in ordered where sequence > logs.stored[author] {
            let old = logs.stored[author]
            logs.raiseStored(author, to: urgent.stored(author, through: sequence))
            compareHeard(of: author, since: old, &step)
            haves.add(author)
            multicast.recordNews(of: author, step.now)
            guard urgent.dequeueAnnounced(author, logs) else { continue }
            claims.announced(author)
            haves.raiseLate(author, in: logs)
            isUrgent = true
        }
        if !haves.isEmpty {
            let filled = pulls.dequeueMended(logs)
            let isMended = heads.keys.contains(where: filled.contains)
            haves.schedule(isMended: isMended, beside: links, &step)
            if !multicast.isEmpty {
                haves.scheduleLate(
                    at: step.now
                        + (isUrgent
                            ? Limits.lateHaveDelay : multicast.lateHaveDelay(members: authors.members.count, step.now)))
            }
        }
        // Everybody assumes that we have what we wrote.
        guard heads.keys.contains(where: { $0 != own }) else { return }
        claims.changed(isUrgent: isUrgent, members: authors.members.count, &step)
    }
}
