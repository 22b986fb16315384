import TourCrypto
import TourModel
import TourWire

// Urgent events that overtake their authors' logs: proven by their own signature, shown and passed on at once, and
// counted in no frontier until the log has reached them. Source: `Protocol/06-replication.md`, "Ahead of the log".
extension GossipMachine {
    // MARK: - Permission

    /// Whether a run may be accepted ahead of its author's log: a lone event of class 1 whose author may announce, or
    /// one of the few calls for help that another member may send so.
    package func mayGoAhead(_ run: Run, _ now: Instant) -> Bool {
        run.goesAhead && mayGoAhead(run.author, now)
    }

    /// Whether the author may announce, or has room for one more call for help.
    func mayGoAhead(_ author: MemberID, _ now: Instant) -> Bool {
        leaders.contains(author) || alarms.hasRoom(for: author, now)
    }

    /// Whether a known run went ahead.
    func goesAhead(_ run: Run) -> Bool { run.goesAhead && isLetAhead(EventPlace(run)) }

    func goesAhead(_ event: Event) -> Bool {
        event.header.eventClass.goesAhead && isLetAhead(EventPlace(event))
    }

    private func isLetAhead(_ place: EventPlace) -> Bool { leaders.contains(place.author) || alarms.holds(place) }

    /// Lets verified calls for help go ahead, as far as their authors have room for them.
    mutating func grantAlarms(_ events: some Sequence<Event>, _ now: Instant) {
        for event in events where event.header.eventClass.goesAhead && !leaders.contains(event.header.author) {
            alarms.grant(EventPlace(event), now)
        }
    }

    /// Whether an event overtakes chat.
    func overtakesChat(_ event: Event) -> Bool { event.header.eventClass == .control || goesAhead(event) }

    // MARK: - Arriving

    /// Records what a run on a link implies: its sender has the author's log through the run's end. A lone urgent event
    /// may have reached the sender ahead of the log as well.
    mutating func record(_ run: Run, of link: LinkID) {
        guard let state = links[link] else { return }
        if run.goesAhead { links[link]?.urgent.insert(EventPlace(run)) }
        guard !run.goesAhead || state.member == run.author || state.peerHas[run.author] >= run.first - 1 else { return }
        links[link]?.peerHas.raise(run.author, to: run.last)
    }

    /// Handles a run behind a gap. An urgent event need not wait for the events before it.
    /// - Returns: whether the run is accepted ahead of the log.
    mutating func tryAhead(
        _ run: Run, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) -> Bool {
        // Our own log is restored in order, since we append to it; an event of ours ahead of it shows how long it is.
        guard mayGoAhead(run, step.now), run.author != own || ownLog.state.isRecovering, !isFull(run.author),
            trials.count < Limits.trialsMax,
            ahead.hasRoom(for: EventPlace(run), behind: accepted[run.author]?.sequence ?? 0)
        else { return false }
        var trial = run
        trial.hops = 0
        // Only identical bytes are not verified twice: nobody can suppress an event by sending a forgery of it first.
        if trials.insert(trial).inserted { step.outputs.append(.verify(origin, run)) }
        if case .air(let id) = origin { miss(run.author, through: run.first - 1, on: id, &step) }
        return true
    }

    /// Keeps, shows and passes on a verified urgent event.
    mutating func accept(
        ahead run: VerifiedRun, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let event = run.events[0]
        let place = EventPlace(event)
        // The event was verified before its predecessor, which is still being verified.
        if verifying[run.author] == run.last { verifying[run.author] = run.first - 1 }
        if run.author == own {
            shownOfOwnLog = max(shownOfOwnLog, run.last)
            return schedulePull(own, at: step.now)
        }
        if let known = ahead[place] {
            if known.id != event.id { step.outputs.append(.fault(origin, .forkedLog)) }
            return
        }
        guard place.sequence <= end(of: run.author), !isFull(run.author),
            ahead.hasRoom(for: place, behind: accepted[run.author]?.sequence ?? 0)
        else { return schedulePull(run.author, at: step.now) }
        grantAlarms([event], step.now)
        ahead.add(event)
        hold([event])
        timeline.add(event, step.now)
        step.outputs.append(.storeAhead(run))
        passOn([event], after: [], hops: run.hops, from: origin, &step)
    }

    mutating func forgetTrial(of run: VerifiedRun) {
        if !trials.isEmpty { trials.remove(Run(run.events, hops: 0, pushed: true)) }
    }

    /// The machine cannot tell which of the author's runs failed, so it forgets them all.
    mutating func forgetTrials(of author: MemberID) {
        if !trials.isEmpty { trials = trials.filter { $0.author != author } }
    }

    // MARK: - The log catches up

    /// Compares the log's new events with those that went ahead. Where they differ the author wrote two logs; this one
    /// counts.
    mutating func merge(_ news: ArraySlice<Event>, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        guard let author = news.first?.header.author, ahead.holds(of: author) else { return }
        for event in news {
            guard let early = ahead.remove(EventPlace(event)), early.id != event.id else { continue }
            step.outputs.append(.fault(origin, .forkedLog))
        }
    }

    /// Joins events ahead to the log where they continue it. The store does the same when it reaches them.
    mutating func settle(_ author: MemberID, _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        defer { dropAheadIfFull(author) }
        guard ahead.holds(of: author) else { return }
        while let head = accepted[author], !isFull(author) {
            let place = EventPlace(author: author, sequence: head.sequence + 1)
            guard let next = ahead[place], !next.isSettled else { return }
            guard next.previous == head.id else {
                ahead.remove(place)
                return step.outputs.append(.fault(origin, .forkedLog))
            }
            ahead.settle(place)
            announced[author] = place.sequence
            var size = head.size
            size.add(.announcement, byteCount: next.byteCount)
            // The event was sent on segments when it arrived, where its predecessor was.
            var settled = Head(sequence: place.sequence, id: next.id, previous: head.id, size: size)
            settled.aired = head.aired
            accepted[author] = settled
        }
    }

    // MARK: - Sending

    /// Sends an urgent event on a link that gets no pushes, or whose peer lacks an event before it.
    mutating func overtake(
        _ event: Event, hops: Int, on link: LinkID, isOffer: Bool = false,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        let header = event.header
        let place = EventPlace(event)
        // The author has its own event, unless it states itself that it lacks it.
        guard let state = links[link], state.hasSpoken, isOffer || state.member != header.author, hops < Limits.hopsMax,
            header.sequence <= end(of: header.author), state.peerHas[header.author] < header.sequence,
            !state.urgent.contains(place),
            !state.isLagging || state.urgentWhileLagging < Limits.urgentWhileLaggingMax
        else { return }
        let isNext = state.peerHas[header.author] == header.sequence - 1
        if goesAhead(event) {
            links[link]?.urgent.insert(place)
            send(.run(Run([event], hops: hops, pushed: true)), to: link, &step)
        } else if header.eventClass == .control, state.isLagging || !isNext, Self.goesAlone(event) {
            step.outputs.append(.send(link, .control([event.bytes])))
        } else {
            return
        }
        if state.isLagging { links[link]?.urgentWhileLagging += 1 }
    }

    /// Whether a control event counts without its log. A node that receives a leave accepts nothing more of that
    /// author, so the leave travels as the end of its log; a control event of a later kind has no effect here, and may
    /// be long.
    private static func goesAlone(_ event: Event) -> Bool {
        guard let body = try? ControlBody(decoding: event.body) else { return false }
        return body != .leave && body != .unknown
    }

    /// No frontier names events ahead of their logs: this node sends them to a peer that begins to take part.
    func offerAhead(on link: LinkID, _ known: [UInt64: UInt64], _ step: inout Step<some RandomNumberGenerator>) {
        let ranges = ahead.open.sorted { $0.key < $1.key }.compactMap { author, last -> Want.Range? in
            let has = known[author.prefix] ?? 0
            let last = min(last, end(of: author))
            return has < last ? Want.Range(author: author, first: has + 1, last: last) : nil
        }
        if !ranges.isEmpty { step.outputs.append(.loadUrgent(link, Array(ranges.prefix(Limits.pullRangesMax)))) }
    }

    /// A long pull would delay urgent events: this node sends those first.
    func lookForUrgent(in asked: [Want.Range], _ link: LinkID, _ step: inout Step<some RandomNumberGenerator>) {
        let ranges = asked.compactMap { range -> Want.Range? in
            let last = min(range.last, stored[range.author], end(of: range.author))
            guard leaders.contains(range.author), range.first <= last,
                last - range.first >= Limits.graftEventsMax
            else { return nil }
            return Want.Range(author: range.author, first: range.first + Limits.urgentBehindFirst, last: last)
        }
        if !ranges.isEmpty { step.outputs.append(.loadUrgent(link, ranges)) }
    }

    mutating func offer(
        _ events: [(event: Event, hops: Int)], on link: LinkID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        for (event, hops) in events.prefix(Limits.urgentBeforePullMax) {
            overtake(event, hops: hops, on: link, isOffer: true, &step)
        }
    }
}
