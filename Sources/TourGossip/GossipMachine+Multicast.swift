import TourCrypto
import TourModel
import TourWire

// Datagrams: what arrives on segments, which members hear each other, and what goes out.
// Source: `Protocol/08-datagrams.md`.
extension GossipMachine {
    /// Sets the segments that this node is on now.
    mutating func join(_ ids: [SegmentID], _ step: inout Step<some RandomNumberGenerator>) {
        segments = segments.filter { ids.contains($0.key) }
        for id in ids where segments[id] == nil {
            segments[id] = Segment()
            greet(on: id, &step)
        }
    }

    /// Schedules a beacon that names the members this node hears: they learn from it that it hears them.
    mutating func greet(on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>) {
        let chance = Limits.greetingPerMemberMicroseconds * Int64(max(members.count, 1))
        let due = step.now + Limits.greetingDelay + step.jitter(chance)
        let earliest = segments[id]?.sentAt.map { $0 + Limits.greetingPause } ?? due
        segments[id]?.trickle.bring(forward: max(due, earliest))
        segments[id]?.trickle.consistent = 0
    }

    mutating func receive(
        _ datagram: Datagram, on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let sender = authors[datagram.sender], let segment = segments[id] else { return }
        // Our own datagrams do not come back to us: another device has our key, or somebody claims our prefix. Only
        // signed rows prove which.
        guard sender != own else { return received(datagram.rows, .air(id), &step) }
        let isNew = !segment.hears(sender, now: step.now)
        segments[id]?.record(datagram, of: sender, hearsUs: datagram.heard.contains(own.shortPrefix), now: step.now)
        if isNew { greet(on: id, &step) }
        if !segment.isDistrusted(now: step.now) {
            for run in datagram.runs { receive(run, .air(id), &step) }
        }
        if !datagram.rows.isEmpty { received(datagram.rows, .air(id), &step) }
        receive(datagram.heads, of: sender, on: id, &step)
        receive(datagram.gaps, on: id, &step)
    }

    /// Records that a member has signed that it has this author's log through `sequence`.
    mutating func raise(_ author: MemberID, to sequence: UInt64, having member: MemberID) {
        for link in links.keys where links[link]?.member == member { links[link]?.peerHas.raise(author, to: sequence) }
    }

    /// The segments on which a datagram reaches members who are proven to hear it.
    func activeSegments(_ now: Instant) -> [SegmentID] {
        segments.keys.filter { segments[$0]?.isActive(now: now) == true }.sorted()
    }

    /// How long a member heard on a segment may be silent before this node asks for a sign of life on its link.
    package func quietMax(on id: SegmentID) -> Duration { segments[id]?.quietMax ?? Limits.heardQuietMax }

    /// Whether a claim fits a datagram; longer claims go over links.
    func fitsDatagram(_ row: ClaimRow) -> Bool { row.row.count <= Limits.airClaimBytesMax }

    /// Whether a neighbour gets what goes out on these segments without its link.
    func isReached(_ member: MemberID, on ids: [SegmentID], _ now: Instant) -> Bool {
        ids.contains { segments[$0]?.isHeard(by: member, now: now) == true }
    }

    // MARK: - Sending

    /// Schedules events of one author on these segments, if they are few and fit.
    /// - Returns: the segments that accepted them.
    mutating func scheduleMulticast(
        _ events: [Event], hops: Int, on ids: [SegmentID], from origin: Origin?,
        _ step: inout Step<some RandomNumberGenerator>
    ) -> [SegmentID] {
        guard !ids.isEmpty, !events.isEmpty, hops < Limits.hopsMax else { return [] }
        guard events.count <= Limits.airDatagramsAtOnce else {
            // Links carry all of them; the urgent ones go out here too.
            let urgent = events.filter { goesAhead($0) }.suffix(Limits.airDatagramsAtOnce)
            if !urgent.isEmpty { _ = scheduleMulticast(Array(urgent), hops: hops, on: ids, from: origin, &step) }
            return []
        }
        let runs = events.map { Run([$0], hops: hops, pushed: true) }
        guard runs.allSatisfy({ $0.byteCount <= Self.flightBytesMax }) else { return [] }
        var taken = [SegmentID]()
        for id in ids {
            guard var segment = segments[id], segment.pendingRuns.count + runs.count <= Limits.flightsMax else {
                continue
            }
            let isUrgent = events.contains { overtakesChat($0) }
            let bytes = runs.reduce(0) { $0 + $1.byteCount }
            let author = events[0].header.author
            // An unranked member may write any number of control events, so these alone do not exceed the budget.
            let mustGo = isUrgent && (leaders.contains(author) || events.contains { goesAhead($0) })
            guard segment.budget.acquire(bytes, mustGo: mustGo, now: step.now) else { continue }
            var due = step.now + (origin.map { relayDelay(of: author, from: $0, to: id, &step) } ?? .zero)
            if !isUrgent, let sentAt = segment.sentAt { due = max(due, sentAt + Limits.airGathering) }
            let copies = segment.copies(isUrgent: isUrgent, now: step.now)
            segment.pendingRuns += runs.map {
                Segment.PendingRun(
                    run: $0, due: due, isRelay: origin != nil, isUrgent: isUrgent, copiesLeft: copies - 1)
            }
            if origin == nil {
                segment.tail(after: copies, step.now)
                segment.trickle.consistent = 0
            }
            segments[id] = segment
            taken.append(id)
        }
        return taken
    }

    /// A run of this size still fits a datagram with the envelope and the list of voices.
    private static var flightBytesMax: Int { Limits.datagramPlaintextBytesMax - 160 }

    mutating func runAirTimers(
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        for id in segments.keys.sorted() {
            ask(on: id, &step)
            answer(on: id, step.now)
            flush(id, &step)
            beacon(on: id, &step)
        }
        if let due = lateHaveDue, due <= step.now { flushLateHaves(&step) }
    }

    /// How long a run from elsewhere waits for another member to carry it. Of the members heard on both segments the
    /// first by id carries at once, and the next if it hears nothing of that; all wait for an author that is on both.
    /// For a run from a link no member knows which others have it.
    private func relayDelay(
        of author: MemberID, from origin: Origin, to id: SegmentID, _ step: inout Step<some RandomNumberGenerator>
    ) -> Duration {
        let chance = step.jitter(Limits.relayJitterMicroseconds)
        guard case .air(let source) = origin, let here = segments[source], let there = segments[id] else {
            return chance
        }
        let before = here.voices.keys.count {
            ($0 < own || $0 == author) && here.hears($0, now: step.now) && there.hears($0, now: step.now)
        }
        return before == 0 ? .zero : Limits.standbyDelay * min(before, Limits.standbysMax) + chance
    }

    /// Sends everything that is due, in as few datagrams as possible.
    private mutating func flush(
        _ id: SegmentID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let segment = segments[id] else { return }
        let due = segment.pendingRuns.filter { $0.due <= step.now }
        let areClaimsDue = segment.claimsDue.map { $0 <= step.now } ?? false
        guard !due.isEmpty || areClaimsDue else { return }
        segments[id]?.pendingRuns.removeAll { $0.due <= step.now }
        var packer = DatagramPacker()
        for pending in due.sorted(by: { $0.isUrgent && !$1.isUrgent }) {
            packer.add(pending.run)
            again(pending, on: id, step.now)
            for sequence in pending.run.first...pending.run.last {
                recent.aired(EventPlace(author: pending.run.author, sequence: sequence), on: id, step.now)
            }
        }
        if areClaimsDue {
            let claims = segment.claims.sorted().compactMap { board.newest(of: $0)?.row }
            segments[id]?.claims = []
            segments[id]?.claimsDue = nil
            for row in claims { packer.add(row) }
            // The sign of life also names the members heard: neighbours rely on it.
            packer.add(heard: voicesToName(on: id, others: Limits.claimHeardMax, &step))
            packer.add(newsHeads(step.now))
        }
        for datagram in packer.datagrams { send(datagram, on: id, &step) }
    }

    /// Schedules the next copy a little later: loss comes in bursts.
    private mutating func again(_ pending: Segment.PendingRun, on id: SegmentID, _ now: Instant) {
        guard pending.copiesLeft > 0, var segment = segments[id], segment.pendingRuns.count < Limits.flightsMax,
            segment.budget.acquire(pending.run.byteCount, now: now)
        else { return }
        var copy = pending
        copy.copiesLeft -= 1
        copy.copiesSent += 1
        copy.due = now + Limits.copyPauses[min(pending.copiesSent, Limits.copyPauses.count - 1)]
        segment.pendingRuns.append(copy)
        segments[id] = segment
    }

    mutating func send(
        _ contents: Datagram, on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard var segment = segments[id] else { return }
        segment.counter += 1
        segment.sentAt = step.now
        var datagram = contents
        datagram.sender = own.prefix
        datagram.counter = segment.counter
        datagram.lossPerMille = segment.loss.perMille
        segments[id] = segment
        step.outputs.append(.multicast(id, datagram))
    }

}
