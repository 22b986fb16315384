import TourModel
import TourWire

// Repairs what a datagram should have brought: this node asks on the segment first, where one answer serves all who
// missed it, and on links when that fails. Source: `Protocol/08-datagrams.md`, "Repair".
extension Multicast {
    /// Handles news that an author's log reaches `last` when events up to there are missing here.
    /// - Parameter isSaid: whether the author itself named its head, which it does when no copy is to follow.
    /// - Returns: whether so many are missing that they are pulled at once.
    mutating func miss(
        _ author: MemberID, through last: UInt64, isSaid: Bool = false, on id: SegmentID, _ logs: Logs,
        _ step: inout Step<some RandomNumberGenerator>
    ) -> Bool {
        let first = logs.expected(author)
        let last = min(last, logs.end(of: author))
        guard last >= first, let segment = segments[id] else { return false }
        guard last - first < AirGap.eventsMax else { return true }
        if let gap = segment.gaps[author] {
            segments[id]?.gaps[author]?.last = max(gap.last, last)
            guard isSaid, gap.tries == 0, !gap.isHeld else { return false }
            let chance = step.jitter(segment.gapJitter(now: step.now))
            segments[id]?.gaps[author]?.due = min(gap.due, step.now + AirGap.delay + chance)
        } else if segment.gaps.count < AirGap.countMax {
            let chance = step.jitter(segment.gapJitter(now: step.now))
            let delay = isSaid ? AirGap.delay : segment.gapDelay(now: step.now)
            segments[id]?.gaps[author] = AirGap(last: last, due: step.now + delay + chance)
        }
        return false
    }

    /// Sends the questions that are due, all in one datagram.
    /// - Returns: the authors whose events nobody on the segment has: they are pulled on links.
    mutating func ask(
        on id: SegmentID, _ logs: Logs, _ held: HeldRuns, _ step: inout Step<some RandomNumberGenerator>
    ) -> [MemberID] {
        guard let segment = segments[id], segment.gaps.values.contains(where: { $0.due <= step.now }) else { return [] }
        var unanswered = [MemberID]()
        var datagram = Datagram(sender: own.prefix, counter: 0)
        for (author, gap) in segment.gaps.sorted(by: { $0.key < $1.key }) where gap.due <= step.now {
            let first = logs.expected(author)
            let last = min(gap.last, (held.first(of: author) ?? .max) - 1, logs.end(of: author))
            guard first <= last else {
                segments[id]?.gaps[author] = nil
                continue
            }
            guard gap.tries < AirGap.triesMax, segment.isActive(now: step.now) else {
                segments[id]?.gaps[author] = nil
                unanswered.append(author)
                continue
            }
            let chance = step.jitter(segment.gapJitter(now: step.now))
            let pause = segment.gapRepeat(now: step.now) * (gap.tries + 1)
            segments[id]?.gaps[author] = AirGap(last: gap.last, due: step.now + pause + chance, tries: gap.tries + 1)
            datagram.gaps.append(Datagram.Gap(author: author.prefix, first: first, last: last))
        }
        guard !datagram.gaps.isEmpty,
            segments[id]?.budget.acquire(Limits.paddedDatagramBytesMin * 2, now: step.now) == true
        else { return unanswered }
        datagram.gaps = Array(datagram.gaps.prefix(Limits.beaconHeadsMax))
        send(datagram, on: id, &step)
        return unanswered
    }

    /// Handles a member's questions: every node that has the events may answer, the author first; nodes that miss the
    /// same events hold their own question.
    mutating func receive(
        _ gaps: [Datagram.Gap], on id: SegmentID, _ authors: Authors, _ logs: Logs,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        for gap in gaps.prefix(Limits.beaconHeadsMax) {
            guard let author = authors[gap.author] else { continue }
            if let mine = segments[id]?.gaps[author], logs.expected(author) >= gap.first, mine.last <= gap.last,
                gap.last - gap.first < AirGap.eventsMax, !mine.isHeld
            {
                let chance = step.jitter(segments[id]?.gapJitter(now: step.now) ?? 0)
                let hold = min(AirGap.hold, segments[id]?.gapRepeat(now: step.now) ?? AirGap.hold)
                segments[id]?.gaps[author]?.due = max(mine.due, step.now + hold + chance)
                segments[id]?.gaps[author]?.isHeld = true
            }
            if author == own { segments[id]?.askedAt = step.now }
            // Any member of the tour can send this range: its ends may be the highest numbers there are.
            let last = gap.last - gap.first < AirGap.eventsMax ? gap.last : gap.first + AirGap.eventsMax - 1
            for sequence in gap.first...last {
                plan(repair: EventPlace(author: author, sequence: sequence), on: id, &step)
            }
        }
    }

    private mutating func plan(
        repair place: EventPlace, on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let segment = segments[id], let entry = recent[place], segment.repairs[place] == nil,
            segment.repairs.count < Segment.repairsMax
        else { return }
        if let airedAt = entry.airedAt[id], step.now - airedAt < Limits.repairPause { return }
        // A copy of the event is already waiting to go out.
        guard !segment.pendingRuns.contains(where: { EventPlace($0.run) == place }) else { return }
        if place.author == own {
            let delay = step.jitter(Limits.ownRepairMicroseconds)
            segments[id]?.repairs[place] = step.now + delay
        } else if Int.random(in: 0..<max(1, segment.hearers(step.now)), using: &step.rng) < Limits.repairersWanted {
            let head = segment.hears(place.author, now: step.now) ? Limits.othersRepairDelay : .zero
            let chance = step.jitter(Limits.repairJitterMicroseconds)
            segments[id]?.repairs[place] = step.now + head + chance
        }
    }

    /// Adds the repairs that are due to the pendingRuns.
    mutating func answer(on id: SegmentID, _ logs: Logs, _ urgent: UrgentEvents, _ now: Instant) {
        guard let segment = segments[id], segment.repairs.values.contains(where: { $0 <= now }) else { return }
        for (place, due) in segment.repairs.sorted(by: { $0.key < $1.key }) where due <= now {
            segments[id]?.repairs[place] = nil
            guard let entry = recent[place], place.sequence <= logs.end(of: place.author),
                segments[id]?.pendingRuns.count ?? 0 < Segment.flightsMax
            else { continue }
            let run = Run([entry.event], hops: entry.hops, pushed: true)
            guard segments[id]?.budget.acquire(run.byteCount, now: now) == true else { continue }
            let isUrgent = urgent.overtakesChat(entry.event)
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
}
