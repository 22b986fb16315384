import TourModel
import TourWire

// Repairs what a datagram should have brought: this node asks on the segment first, where one answer serves all who
// missed it, and on links when that fails. Source: `Protocol/08-datagrams.md`, "Repair".
extension GossipMachine {
    /// Handles news that an author's log reaches `last` when events up to there are missing here.
    /// - Parameter isSaid: whether the author itself named its head, which it does when no copy is to follow.
    mutating func miss(
        _ author: MemberID, through last: UInt64, isSaid: Bool = false, on id: SegmentID, _ now: Instant,
        _ rng: inout some RandomNumberGenerator
    ) {
        let first = expected(author)
        let last = min(last, end(of: author))
        guard last >= first, let segment = segments[id] else { return }
        guard last - first < Limits.gapEventsMax else { return schedulePull(author, at: now) }
        if let gap = segment.gaps[author] {
            segments[id]?.gaps[author]?.last = max(gap.last, last)
            guard isSaid, gap.tries == 0, !gap.isHeld else { return }
            let chance = Int64.random(in: 0...segment.gapJitter(now: now), using: &rng)
            segments[id]?.gaps[author]?.due = min(gap.due, now + Limits.gapDelay + .microseconds(chance))
        } else if segment.gaps.count < Limits.gapsMax {
            let chance = Int64.random(in: 0...segment.gapJitter(now: now), using: &rng)
            let delay = isSaid ? Limits.gapDelay : segment.gapDelay(now: now)
            segments[id]?.gaps[author] = AirGap(last: last, due: now + delay + .microseconds(chance))
        }
    }

    /// Keeps a run that arrived before the events it continues.
    mutating func hold(_ run: Run, from origin: Origin) {
        let ofAuthor = held[run.author] ?? []
        guard ofAuthor.count < Limits.heldRunsOfAuthorMax,
            held.values.reduce(0, { $0 + $1.count }) < Limits.heldRunsMax,
            held.values.joined().reduce(run.byteCount, { $0 + $1.run.byteCount }) <= Limits.heldBytesMax,
            !ofAuthor.contains(where: { $0.run.first == run.first })
        else { return }
        held[run.author] = (ofAuthor + [HeldRun(run: run, origin: origin)]).sorted { $0.run.first < $1.run.first }
    }

    /// Receives held runs that may now continue the log.
    mutating func release(
        _ author: MemberID, _ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]
    ) {
        while let first = held[author]?.first, first.run.first <= expected(author) {
            held[author]?.removeFirst()
            if held[author]?.isEmpty == true { held[author] = nil }
            receive(first.run, first.origin, now, &rng, &outputs)
        }
    }

    /// Sends the questions that are due, all in one datagram.
    mutating func ask(
        on id: SegmentID, _ now: Instant, _ rng: inout some RandomNumberGenerator, _ outputs: inout [Output]
    ) {
        guard let segment = segments[id], segment.gaps.values.contains(where: { $0.due <= now }) else { return }
        var datagram = Datagram(sender: own.prefix, counter: 0)
        for (author, gap) in segment.gaps.sorted(by: { $0.key < $1.key }) where gap.due <= now {
            let first = expected(author)
            let last = min(gap.last, (held[author]?.first?.run.first ?? .max) - 1, end(of: author))
            guard first <= last else {
                segments[id]?.gaps[author] = nil
                continue
            }
            guard gap.tries < Limits.gapTriesMax, segment.isActive(now: now) else {
                segments[id]?.gaps[author] = nil
                schedulePull(author, at: now)
                continue
            }
            let chance = Int64.random(in: 0...segment.gapJitter(now: now), using: &rng)
            let pause = segment.gapRepeat(now: now) * (gap.tries + 1)
            segments[id]?.gaps[author] = AirGap(
                last: gap.last, due: now + pause + .microseconds(chance), tries: gap.tries + 1)
            datagram.gaps.append(Datagram.Gap(author: author.prefix, first: first, last: last))
        }
        guard !datagram.gaps.isEmpty,
            segments[id]?.budget.acquire(Limits.paddedDatagramBytesMin * 2, now: now) == true
        else { return }
        datagram.gaps = Array(datagram.gaps.prefix(Limits.beaconHeadsMax))
        send(datagram, on: id, now, &outputs)
    }

    /// Handles a member's questions: every node that has the events may answer, the author first; nodes that miss the
    /// same events hold their own question.
    mutating func receive(
        _ gaps: [Datagram.Gap], on id: SegmentID, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) {
        for gap in gaps.prefix(Limits.beaconHeadsMax) {
            guard let author = authors[gap.author] else { continue }
            if let mine = segments[id]?.gaps[author], expected(author) >= gap.first, mine.last <= gap.last,
                gap.last - gap.first < Limits.gapEventsMax, !mine.isHeld
            {
                let chance = Int64.random(in: 0...(segments[id]?.gapJitter(now: now) ?? 0), using: &rng)
                let hold = min(Limits.gapHold, segments[id]?.gapRepeat(now: now) ?? Limits.gapHold)
                segments[id]?.gaps[author]?.due = max(mine.due, now + hold + .microseconds(chance))
                segments[id]?.gaps[author]?.isHeld = true
            }
            if author == own { segments[id]?.askedAt = now }
            // Any member of the tour can send this range: its ends may be the highest numbers there are.
            let last = gap.last - gap.first < Limits.gapEventsMax ? gap.last : gap.first + Limits.gapEventsMax - 1
            for sequence in gap.first...last {
                plan(repair: EventPlace(author: author, sequence: sequence), on: id, now, &rng)
            }
        }
    }

    private mutating func plan(
        repair place: EventPlace, on id: SegmentID, _ now: Instant, _ rng: inout some RandomNumberGenerator
    ) {
        guard let segment = segments[id], let entry = recent[place], segment.repairs[place] == nil,
            segment.repairs.count < Limits.repairsMax
        else { return }
        if let airedAt = entry.airedAt[id], now - airedAt < Limits.repairPause { return }
        // A copy of the event is already waiting to go out.
        guard !segment.pendingRuns.contains(where: { EventPlace($0.run) == place }) else { return }
        if place.author == own {
            let delay = Int64.random(in: 0...Limits.ownRepairMicroseconds, using: &rng)
            segments[id]?.repairs[place] = now + .microseconds(delay)
        } else if Int.random(in: 0..<max(1, segment.hearers(now)), using: &rng) < Limits.repairersWanted {
            let head = segment.hears(place.author, now: now) ? Limits.othersRepairDelay : .zero
            let chance = Int64.random(in: 0...Limits.repairJitterMicroseconds, using: &rng)
            segments[id]?.repairs[place] = now + head + .microseconds(chance)
        }
    }

    /// Adds the repairs that are due to the pendingRuns.
    mutating func answer(on id: SegmentID, _ now: Instant) {
        guard let segment = segments[id], segment.repairs.values.contains(where: { $0 <= now }) else { return }
        for (place, due) in segment.repairs.sorted(by: { $0.key < $1.key }) where due <= now {
            segments[id]?.repairs[place] = nil
            guard let entry = recent[place], place.sequence <= end(of: place.author),
                segments[id]?.pendingRuns.count ?? 0 < Limits.flightsMax
            else { continue }
            let run = Run([entry.event], hops: entry.hops, pushed: true)
            guard segments[id]?.budget.acquire(run.byteCount, now: now) == true else { continue }
            let isUrgent = overtakesChat(entry.event)
            segments[id]?.pendingRuns.append(
                Segment.PendingRun(run: run, due: now, isRelay: false, isUrgent: isUrgent, copiesLeft: 0))
        }
    }

    /// A run was heard on a segment: this node need not send it there again.
    mutating func cancelRelay(of run: Run, on id: SegmentID, _ now: Instant) {
        // The run is not verified: only bytes identical to ours spare us from sending them.
        let place = EventPlace(run)
        guard run.events.count == 1, let entry = recent[place],
            Run([entry.event], hops: run.hops, pushed: run.pushed) == run
        else { return }
        segments[id]?.pendingRuns.removeAll { $0.isRelay && EventPlace($0.run) == place }
        segments[id]?.repairs[place] = nil
        recent.aired(place, on: id, now)
    }

    // MARK: - Links of members that hear us

    /// The delay of late `Have`s: within it a neighbour's claim shows what it has; where claims are lost, one of
    /// several does.
    func lateHaveDelay(_ now: Instant) -> Duration {
        max(Limits.lateHaveDelay, ClaimState.pause(members: members.count) + Limits.claimIntervalMin)
            * loudness(now).words
    }

    /// The loss level of the worst active segment.
    func loudness(_ now: Instant) -> Loudness {
        activeSegments(now).compactMap { segments[$0].map { Loudness($0.reportedLoss(now: now)) } }.max() ?? .calm
    }

    /// Sends `Have`s, late and only of what is still missing, to neighbours that datagrams reach or reached at the last
    /// announcement.
    mutating func flushLateHaves(_ now: Instant, _ outputs: inout [Output]) {
        let active = activeSegments(now)
        let heads = lateHeads.heads.sorted { $0.key < $1.key }
        let isCalm = lateHeads == stored
        for link in links.keys.sorted() {
            guard let state = links[link] else { continue }
            let isReached = isReached(state.member, on: active, now)
            guard isReached || state.isToldLate else { continue }
            if isCalm, !isReached { links[link]?.isToldLate = false }
            let news = heads.filter { state.peerHas[$0.key] < $0.value && $0.key != state.member }
                .prefix(Limits.headsPerMessageMax)
            guard !news.isEmpty else { continue }
            outputs.append(.send(link, .have(news.map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) })))
        }
        lateHeads = stored
        lateHaveDue = isCalm ? nil : now + lateHaveDelay(now)
    }
}

/// A run that waits for the events it continues.
struct HeldRun: Sendable {
    let run: Run
    let origin: Origin
}
