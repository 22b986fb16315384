import TourCrypto
import TourModel
import TourWire

// Live events: received, accepted, passed on, announced.
extension GossipMachine {
    mutating func receive(
        _ whole: Run, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let run = whole.prefix(through: end(of: whole.author)) else { return }
        guard run.hops < Limits.hopsMax else {
            step.outputs.append(.fault(origin, .tooManyHops))
            return
        }
        switch origin {
        case .link(let link), .path(let link):
            guard links[link]?.isDistrusted != true, links[link]?.badAuthors.contains(run.author) != true else {
                return
            }
            if !run.pushed { links[link]?.asked?.progressed(step.now) }
            guard members.contains(run.author) else {
                let head = PrefixedHead(prefix: run.author.prefix, sequence: run.last)
                return remember(head, of: link, step.now)
            }
            record(run, of: link)
        case .air(let id):
            // The links' frontiers will show that the roster lacks the author.
            guard members.contains(run.author) else { return }
            cancelRelay(of: run, on: id, step.now)
        case .mailbox: guard members.contains(run.author) else { return }
        }
        if run.goesAhead, ahead[EventPlace(run)] != nil { return }
        let next = expected(run.author)
        if run.last < next {
            let isAsked = suspects[run.author] != nil && !run.pushed
            if isAsked || isAnotherBranch(run.author, run.first, run.previous) {
                return step.outputs.append(.verify(origin, run))
            }
            // Urgent events go out on every link: a second copy of one says nothing about the tree.
            if run.pushed, !goesAhead(run) { cameTwice(run.author, run.last, origin, &step) }
            return
        }
        guard run.first <= next else {
            if !tryAhead(run, origin, &step) { missedBefore(run, origin, &step) }
            return
        }
        verifying[run.author] = run.last
        arrivals[run.author] = FirstArrival(number: run.last, origin: origin, at: step.now)
        step.outputs.append(.verify(origin, run))
    }

    /// Something before the run is missing: on a link no push will bring it; on a segment another member has it at
    /// hand.
    private mutating func missedBefore(
        _ run: Run, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        switch origin {
        case .link(let link) where links[link]?.path.isProven != true: schedulePull(run.author, at: step.now)
        case .link, .path:
            // The run may have overtaken its predecessor.
            hold(run, from: origin)
            schedulePull(run.author, at: step.now + Limits.pathPatience)
        case .air(let id):
            hold(run, from: origin)
            miss(run.author, through: run.first - 1, on: id, &step)
        // The mailbox client continues from what is stored.
        case .mailbox: break
        }
    }

    /// Whether an event at the place of our newest has another predecessor than ours: the author wrote a sequence
    /// twice.
    private func isAnotherBranch(_ author: MemberID, _ first: UInt64, _ previous: EventID) -> Bool {
        guard let head = accepted[author], head.sequence == first, let ours = head.previous else { return false }
        return previous != ours
    }

    mutating func accept(
        _ origin: Origin, _ run: VerifiedRun, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let head = accepted[run.author] ?? Head(sequence: 0, id: .none, size: .zero)
        if run.goesAhead {
            forgetTrial(of: run)
            if mayGoAhead(run.author, step.now), run.first > head.sequence + 1 {
                return accept(ahead: run, origin, &step)
            }
        }
        if verifying[run.author] ?? 0 <= run.last { verifying[run.author] = nil }
        guard run.last > head.sequence else {
            if isAnotherBranch(run.author, run.first, run.events[0].header.previous) {
                forked(run.author, origin, &step)
                suspect(run, origin, through: head.sequence, &step)
            } else if suspects[run.author] != nil, !run.pushed {
                step.outputs.append(.compare(run))
            }
            return
        }
        // The roster may have learnt meanwhile that the log ends earlier.
        guard run.last <= end(of: run.author) else { return schedulePull(run.author, at: step.now) }
        guard run.first <= head.sequence + 1 else {
            schedulePull(run.author, at: step.now)
            return
        }
        let news = run.events[Int(head.sequence + 1 - run.first)...]
        guard let first = news.first, first.header.previous == head.id, let last = news.last else {
            forked(run.author, origin, &step)
            suspect(run, origin, through: head.sequence, &step)
            if let link = origin.link { links[link]?.refuse(run.author, step.now, least: Limits.forkPause) }
            pullElsewhere(run.author, not: origin.link)
            return
        }
        var size = head.size
        let taken = size.add(news, within: share)
        guard taken == news.count else {
            step.outputs.append(.fault(origin, .beyondShare))
            return endShare(of: run.author, at: first.header.sequence + UInt64(taken) - 1, step.now)
        }
        accepted[run.author] = Head(last, size: size)
        if run.pushed { grantAlarms(news, step.now) }
        recordAnnouncement(in: news)
        hold(news)
        for event in news { timeline.add(event, step.now) }
        if let news = run.suffix(from: first.header.sequence) { step.outputs.append(.store(news)) }
        if !run.pushed { fetched.insert(run.author) }
        if run.pushed {
            if origin.link != nil { recordBurst(of: run.author, events: news.count, step.now) }
            passOn(Array(news), after: head.aired, hops: run.hops, from: origin, &step)
        }
        merge(news, origin, &step)
        settle(run.author, origin, &step)
        release(run.author, &step)
    }

    /// Lowers the read position: an event that arrives behind it was not displayed yet, whatever its clock.
    mutating func hold(_ events: some Sequence<Event>) {
        for event in events where event.header.author != own && event.header.eventClass.isMessage {
            board.hold(event.header.clock)
        }
    }

    /// A log seems to fork: once in a while this node asks the peer for its branch, which shows where. For a run from a
    /// datagram it asks the author.
    private mutating func suspect(
        _ run: VerifiedRun, _ origin: Origin, through last: UInt64, _ step: inout Step<some RandomNumberGenerator>
    ) {
        if run.first <= last { step.outputs.append(.compare(run)) }
        if let asked = suspects[run.author], step.now - asked < Limits.forkPause { return }
        let author = links.keys.sorted().first { links[$0]?.member == run.author }
        guard let link = origin.link ?? author, last > 0 else { return }
        suspects[run.author] = step.now
        let events = UInt64(Limits.runEventsMax)
        let range = Want.Range(author: run.author, first: last > events ? last - events + 1 : 1, last: last)
        step.outputs.append(.send(link, .want(Want(id: nextPullID, ranges: [range], graft: false))))
        nextPullID &+= 1
    }

    /// Marks an announcement, whose holders tell everyone at once that they have it.
    private mutating func recordAnnouncement(in events: some BidirectionalCollection<Event>) {
        for last in events.reversed() where goesAhead(last) {
            announced[last.header.author] = last.header.sequence
            return
        }
    }

    /// Passes live events on: to segments where their sender is not heard, and to neighbours that no datagram reaches.
    ///
    /// - Parameter before: the segments that had the author's previous event.
    mutating func passOn(
        _ events: [Event], after before: [SegmentID], hops: Int, from origin: Origin,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        for event in events.suffix(Limits.recentEventsMax) { recent.add(event, hops: hops) }
        let source = origin.link.flatMap { links[$0]?.member }
        let others = activeSegments(step.now).filter { id in
            origin != .air(id) && source.map { segments[id]?.hears($0, now: step.now) != true } ?? true
        }
        var reached = scheduleMulticast(events, hops: hops, on: others, from: origin, &step)
        if case .air(let id) = origin { reached.append(id) }
        recordMulticast(of: events, on: reached)
        push(events, after: before, hops: hops, except: origin.link, reached: reached, &step)
    }

    mutating func refuse(_ origin: Origin, _ author: MemberID, _ step: inout Step<some RandomNumberGenerator>) {
        verifying[author] = nil
        forgetTrials(of: author)
        switch origin {
        case .link(let link), .path(let link):
            links[link]?.failures += 1
            links[link]?.badAuthors.insert(author)
            links[link]?.refuse(author, step.now)
        case .air(let id): segments[id]?.recordBadRun(step.now)
        case .mailbox: break
        }
        step.outputs.append(.fault(origin, .badRun))
        // Runs that others sent meanwhile were dropped as known.
        pullElsewhere(author, not: origin.link)
    }

    /// The roster does not explain this author (any more): no peer is to blame.
    mutating func skip(_ origin: Origin, _ author: MemberID, _ now: Instant) {
        verifying[author] = nil
        forgetTrials(of: author)
        if let link = origin.link { links[link]?.refuse(author, now) }
    }

    mutating func publish(
        _ events: [Event], _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let last = events.last else { return }
        let before = accepted[own]?.aired ?? []
        var size = logSize(of: own)
        for event in events { size.add(event.header.eventClass, byteCount: event.bytes.count) }
        accepted[own] = Head(last, size: size)
        grantAlarms(events, step.now)
        recordAnnouncement(in: events)
        for event in events { timeline.add(event, step.now) }
        for event in events.suffix(Limits.recentEventsMax) { recent.add(event, hops: 0) }
        let reached = scheduleMulticast(events, hops: 0, on: activeSegments(step.now), from: nil, &step)
        recordMulticast(of: events, on: reached)
        // Events sent on segments reach others without links: nodes would not agree on the decider if they counted.
        if !links.isEmpty, reached.isEmpty { recordBurst(of: own, events: events.count, step.now) }
        push(events, after: before, hops: 0, except: nil, reached: reached, &step)
        confirm([own: last.header.sequence], &step)
    }

    /// Records the segments on which the newest of these events went out.
    private mutating func recordMulticast(of events: [Event], on ids: [SegmentID]) {
        guard !ids.isEmpty, let header = events.last?.header, accepted[header.author]?.sequence == header.sequence
        else { return }
        accepted[header.author]?.aired = ids
    }

    /// Pushes to every eager neighbour that lacks these events, whose log they continue and that no datagram reaches;
    /// other neighbours get the urgent ones. A neighbour that missed the previous datagram pulls the events between.
    private mutating func push(
        _ events: [Event], after before: [SegmentID], hops: Int, except source: LinkID?, reached ids: [SegmentID],
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let first = events.first, let last = events.last else { return }
        let author = first.header.author
        lazy var runs = Run.runs(of: events, hops: hops, pushed: true)
        let urgent = events.filter { overtakesChat($0) }
        let reached = ids.compactMap { segments[$0] }
        for link in neighbours.keys.sorted() where link != source {
            // Where datagrams reach everybody no link is examined.
            guard let member = neighbours[link], member != author,
                !reached.contains(where: { $0.isHeard(by: member, now: step.now) }),
                let state = links[link], state.hasSpoken
            else { continue }
            let reach = state.reach(author)
            guard reach < last.header.sequence else { continue }
            let place = first.header.sequence - 1
            // An announcement that goes ahead leaves a gap before it: it is pushed only where there is no gap.
            let mayContinue =
                urgent.isEmpty && (state.presumedHeads[author] == place || isReached(member, on: before, step.now))
            guard hops < Limits.hopsMax, state.isEager, !state.isLagging, reach >= place || mayContinue else {
                for event in urgent { overtake(event, hops: hops, on: link, &step) }
                // A neighbour that hears datagrams gets few `Have`s: this author must be in one.
                links[link]?.unsentHeads.insert(author)
                continue
            }
            for run in runs { send(.run(run), to: link, &step) }
            if reach >= place {
                links[link]?.sent(through: last)
            } else {
                links[link]?.presumedHeads[author] = last.header.sequence
                links[link]?.unsentHeads.insert(author)
            }
        }
    }

    mutating func confirm(
        _ heads: [MemberID: UInt64], _ step: inout Step<some RandomNumberGenerator>
    ) {
        var isUrgent = false
        wholes.clear()
        // The same order everywhere: a beacon lists news in the order in which it was recorded.
        let ordered = heads.count > 1 ? heads.sorted { $0.key < $1.key } : Array(heads)
        for (author, sequence) in ordered where sequence > stored[author] {
            stored.raise(author, to: ahead.stored(author, through: sequence))
            changed.insert(author)
            recordForBeacon(author)
            newsAt[author] = step.now
            guard let announcement = announced[author], announcement <= stored[author] else { continue }
            announced[author] = nil
            board.announced(author)
            lateHeads.raise(author, to: stored[author])
            isUrgent = true
        }
        scheduleHave(of: heads, &step)
        if !changed.isEmpty, !segments.isEmpty {
            let due = step.now + (isUrgent ? Limits.lateHaveDelay : lateHaveDelay(step.now))
            lateHaveDue = min(lateHaveDue ?? due, due)
        }
        // Everybody assumes that we have what we wrote.
        guard heads.keys.contains(where: { $0 != own }) else { return }
        board.changed(isUrgent: isUrgent, step.now, members: members.count, using: &step.rng)
    }

    /// The link's queue is empty again: the peer can now pull what was not pushed meanwhile.
    mutating func caughtUp(_ link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        guard let state = links[link] else { return }
        let heads = stored.heads.filter { state.peerHas[$0.key] < $0.value }.sorted { $0.key < $1.key }
            .prefix(Limits.headsPerMessageMax).map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) }
        if !heads.isEmpty, state.hasSpoken { step.outputs.append(.send(link, .have(heads))) }
        serve(link, &step)
    }

    mutating func receiveHave(
        on link: LinkID, _ heads: [PrefixedHead], _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard links[link]?.isDistrusted != true else { return }
        if links[link]?.hasSpoken == false { greet(link, heads, &step) }
        for head in heads {
            guard let author = authors[head.prefix] else {
                remember(head, of: link, step.now)
                continue
            }
            links[link]?.peerHas.raise(author, to: head.sequence)
            let next = expected(author)
            guard lacks(author, through: head.sequence) else { continue }
            let isLong = head.sequence - next >= Limits.graftEventsMax
            let isPushed = links.values.contains { $0.peerIsEager && $0.member != links[link]?.member }
            if isLong || !isPushed {
                schedulePull(author, at: step.now)
            } else {
                let jitter = step.jitter(Limits.graftJitterMicrosecondsMax)
                let delay = isTreeLossy ? Limits.graftDelayWhenLossy : Limits.graftDelay
                schedulePull(author, at: step.now + delay + jitter)
            }
        }
    }

    /// The peer takes part from here on. It may have dropped this node's first `Have`, which came before it knew the
    /// sender; so this node says it again, as far as the peer lacks something, or an empty one: a peer that has heard
    /// none pushes nothing.
    private mutating func greet(_ link: LinkID, _ heads: [PrefixedHead], _ step: inout Step<some RandomNumberGenerator>)
    {
        links[link]?.hasSpoken = true
        let known = Dictionary(heads.map { ($0.prefix, $0.sequence) }, uniquingKeysWith: max)
        offerAhead(on: link, known, &step)
        let news = stored.heads.filter { (known[$0.key.prefix] ?? 0) < $0.value }.sorted { $0.key < $1.key }
            .map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) }
        step.outputs.append(.send(link, .have(Array(news.prefix(Limits.headsPerMessageMax)))))
    }

    private mutating func remember(_ head: PrefixedHead, of link: LinkID, _ now: Instant) {
        guard var state = links[link], !ambiguous.contains(head.prefix) else { return }
        let old = state.unknownHeads[head.prefix]
        guard old != nil || state.unknownHeads.count < Limits.unknownHeadsMax else { return }
        state.unknownHeads[head.prefix] = max(old ?? 0, head.sequence)
        if old == nil {
            state.comparePause = Limits.comparePauseMin
            let due = max(now, state.comparedAt.map { $0 + Limits.comparePauseMin } ?? now)
            state.compareDue = min(state.compareDue ?? due, due)
        }
        links[link] = state
    }

    /// Compares control events with peers that name an author unknown to the roster, until the roster explains it.
    mutating func compareControls(_ step: inout Step<some RandomNumberGenerator>) {
        for link in links.keys.sorted() {
            guard let state = links[link], let due = state.compareDue, due <= step.now else { continue }
            guard !state.unknownHeads.isEmpty else {
                links[link]?.compareDue = nil
                continue
            }
            links[link]?.comparedAt = step.now
            links[link]?.compareDue = step.now + state.comparePause
            links[link]?.comparePause = min(state.comparePause * 2, Limits.comparePauseMax)
            step.outputs.append(.compareControls(link))
        }
    }
}
