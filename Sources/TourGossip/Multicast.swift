import TourCrypto
import TourModel
import TourWire

/// Datagrams: which members hear each other on which segments, and what goes out there.
/// Source: `Protocol/08-datagrams.md`.
struct Multicast: Sendable {
    let own: MemberID
    var segments: [SegmentID: Segment] = [:]
    /// Live events, kept for members of a segment that missed one.
    var recent = RecentEvents()
    /// The authors whose heads changed last, and the position of the turn through the others.
    var beaconNews: [MemberID] = []
    var beaconTurn = 0
    /// When each recently changed head changed.
    var newsAt: [MemberID: Instant] = [:]

    init(own: MemberID) { self.own = own }

    /// In order.
    var ids: [SegmentID] { segments.keys.sorted() }

    var isEmpty: Bool { segments.isEmpty }

    /// Whether this node is on a segment.
    func isOn(_ id: SegmentID) -> Bool { segments[id] != nil }

    /// Raises the parts of the machine's size that are kept here.
    func raise(_ size: inout GossipSize) {
        for segment in segments.values {
            size.voices = max(size.voices, segment.voices.count)
            size.pendingRuns = max(size.pendingRuns, segment.pendingRuns.count)
            size.repairs = max(size.repairs, segment.repairs.count)
            size.gaps = max(size.gaps, segment.gaps.count)
        }
        size.recent = recent.count
    }

    /// Visits the segments in place: a copy of one takes longer than the check.
    mutating func addDueTimes(to deadline: inout Deadline) { segments.visitValues { $0.addDueTimes(to: &deadline) } }

    /// Members still hear each other as before; runs that waited to go out are not in the store.
    mutating func keepSegments(of old: Multicast) {
        segments = old.segments
        segments.visitValues { segment in
            segment.pendingRuns = []
            segment.repairs = [:]
        }
    }

    /// Sets the segments that this node is on now.
    mutating func join(_ ids: [SegmentID], members: Int, _ step: inout Step<some RandomNumberGenerator>) {
        segments = segments.filter { ids.contains($0.key) }
        for id in ids where segments[id] == nil {
            segments[id] = Segment()
            greet(on: id, members: members, &step)
        }
    }

    /// Schedules a beacon that names the members this node hears: they learn from it that it hears them.
    ///
    /// - Parameter members: how many there are.
    mutating func greet(on id: SegmentID, members: Int, _ step: inout Step<some RandomNumberGenerator>) {
        let chance = Limits.greetingPerMemberMicroseconds * Int64(max(members, 1))
        let due = step.now + Limits.greetingDelay + step.jitter(chance)
        let earliest = segments[id]?.sentAt.map { $0 + Limits.greetingPause } ?? due
        segments[id]?.trickle.bring(forward: max(due, earliest))
        segments[id]?.trickle.consistent = 0
    }

    /// Records what a datagram shows about its sender.
    /// - Returns: whether its runs are read.
    mutating func record(
        _ datagram: Datagram, of sender: MemberID, on id: SegmentID, members: Int,
        _ step: inout Step<some RandomNumberGenerator>
    ) -> Bool {
        // Asked in place and beforehand: a copy of the segment would make its change a copy of all its voices.
        guard let isKnown = segments[id]?.hears(sender, now: step.now),
            let isDistrusted = segments[id]?.isDistrusted(now: step.now)
        else { return false }
        let hearsUs = datagram.heard.contains(own.shortPrefix)
        segments[id]?.record(datagram, of: sender, hearsUs: hearsUs, now: step.now)
        if !isKnown { greet(on: id, members: members, &step) }
        return !isDistrusted
    }

    /// Keeps live events for members that miss one.
    mutating func keep(_ events: [Event], hops: Int) {
        for event in events.suffix(RecentEvents.countMax) { recent.add(event, hops: hops) }
    }

    mutating func recordBadRun(on id: SegmentID, _ now: Instant) { segments[id]?.recordBadRun(now) }

    // MARK: - Who hears whom

    /// The segments on which a datagram reaches members who are proven to hear it.
    func active(_ now: Instant) -> [SegmentID] {
        segments.keys.filter { segments[$0]?.isActive(now: now) == true }.sorted()
    }

    /// How long a member heard on a segment may be silent before this node asks for a sign of life on its link.
    func quietMax(on id: SegmentID) -> Duration { segments[id]?.quietMax ?? Limits.heardQuietMax }

    /// Whether a neighbour gets what goes out on these segments without its link.
    func isReached(_ member: MemberID, on ids: [SegmentID], _ now: Instant) -> Bool {
        ids.contains { segments[$0]?.isHeard(by: member, now: now) == true }
    }

    /// Whether a member is heard anywhere.
    func hears(_ member: MemberID, _ now: Instant) -> Bool { segments.values.contains { $0.hears(member, now: now) } }

    /// Whether a member is heard on a segment.
    func hears(_ member: MemberID, on id: SegmentID, _ now: Instant) -> Bool {
        segments[id]?.hears(member, now: now) == true
    }

    /// Whether a member was heard lately on a segment where datagrams arrive.
    func wasHeard(_ member: MemberID, _ now: Instant) -> Bool {
        segments.values.contains { $0.isActive(now: now) && $0.wasHeard(member, now: now) }
    }

    /// Those of the segments that this node is on.
    func segments(_ ids: [SegmentID]) -> [Segment] { ids.compactMap { segments[$0] } }

    /// The loss level of the worst active segment.
    func loudness(_ now: Instant) -> Loudness {
        active(now).compactMap { segments[$0].map { Loudness($0.reportedLoss(now: now)) } }.max() ?? .calm
    }

    /// The delay of late `Have`s: within it a neighbour's claim shows what it has; where claims are lost, one of
    /// several does.
    func lateHaveDelay(members: Int, _ now: Instant) -> Duration {
        max(Limits.lateHaveDelay, ClaimState.pause(members: members) + ClaimState.intervalMin) * loudness(now).words
    }

    // MARK: - Claims

    /// Schedules a member's newest claim.
    mutating func add(claimOf member: MemberID, on id: SegmentID, at due: Instant) {
        segments[id]?.add(claimOf: member, at: due)
    }

    /// Schedules our own claim at once.
    mutating func addOwnClaim(on id: SegmentID, _ now: Instant) { segments[id]?.add(claimOf: own, at: now) }

    mutating func remove(claimOf member: MemberID, on id: SegmentID) { segments[id]?.claims.remove(member) }

    // MARK: - Sending

    /// Schedules events of one author on these segments, if they are few and fit.
    /// - Returns: the segments that accepted them.
    mutating func schedule(
        _ events: [Event], hops: Int, on ids: [SegmentID], from origin: Origin?, _ urgent: UrgentEvents,
        _ step: inout Step<some RandomNumberGenerator>
    ) -> [SegmentID] {
        guard !ids.isEmpty, !events.isEmpty, hops < Limits.hopsMax else { return [] }
        guard events.count <= Limits.airDatagramsAtOnce else {
            // Links carry all of them; the urgent ones go out here too.
            let few = events.filter { urgent.goesAhead($0) }.suffix(Limits.airDatagramsAtOnce)
            if !few.isEmpty { _ = schedule(Array(few), hops: hops, on: ids, from: origin, urgent, &step) }
            return []
        }
        let runs = events.map { Run([$0], hops: hops, pushed: true) }
        guard runs.allSatisfy({ $0.byteCount <= Self.flightBytesMax }) else { return [] }
        var taken = [SegmentID]()
        for id in ids {
            guard var segment = segments[id], segment.pendingRuns.count + runs.count <= Segment.flightsMax else {
                continue
            }
            let isUrgent = events.contains { urgent.overtakesChat($0) }
            let bytes = runs.reduce(0) { $0 + $1.byteCount }
            let author = events[0].header.author
            // An unranked member may write any number of control events, so these alone do not exceed the budget.
            let mustGo = isUrgent && (urgent.leaders.contains(author) || events.contains { urgent.goesAhead($0) })
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

    /// How long a run from elsewhere waits for another member to carry it. Of the members heard on both segments the
    /// first by id carries at once, and the next if it hears nothing of that; all wait for an author that is on both.
    /// For a run from a link no member knows which others have it.
    private func relayDelay(
        of author: MemberID, from origin: Origin, to id: SegmentID, _ step: inout Step<some RandomNumberGenerator>
    ) -> Duration {
        let chance = step.jitter(Limits.relayJitterMicroseconds)
        guard case .multicast(let source) = origin, let here = segments[source], let there = segments[id] else {
            return chance
        }
        let before = here.voices.keys.count {
            ($0 < own || $0 == author) && here.hears($0, now: step.now) && there.hears($0, now: step.now)
        }
        return before == 0 ? .zero : Limits.standbyDelay * min(before, Limits.standbysMax) + chance
    }

    /// Asks, answers and sends what is due. What nobody on a segment has is pulled on links.
    mutating func run(
        _ logs: Logs, _ held: HeldRuns, _ urgent: UrgentEvents, _ claims: ClaimState, _ links: Links,
        _ pulls: inout Pulls, _ step: inout Step<some RandomNumberGenerator>
    ) {
        for id in ids {
            for author in ask(on: id, logs, held, &step) { pulls.schedule(author, at: step.now) }
            answer(on: id, logs, urgent, step.now)
            flush(id, claims, logs, links, &step)
            beacon(on: id, logs, links, &step)
        }
    }

    /// Sends everything that is due, in as few datagrams as possible.
    private mutating func flush(
        _ id: SegmentID, _ claims: ClaimState, _ logs: Logs, _ links: Links,
        _ step: inout Step<some RandomNumberGenerator>
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
            let rows = segment.claims.sorted().compactMap { claims.newest(of: $0)?.row }
            segments[id]?.claims = []
            segments[id]?.claimsDue = nil
            for row in rows { packer.add(row) }
            // The sign of life also names the members heard: neighbours rely on it.
            packer.add(heard: voicesToName(on: id, others: Limits.claimHeardMax, links, &step))
            packer.add(newsHeads(logs, step.now))
        }
        for datagram in packer.datagrams { send(datagram, on: id, &step) }
    }

    /// Schedules the next copy a little later: loss comes in bursts.
    private mutating func again(_ pending: Segment.PendingRun, on id: SegmentID, _ now: Instant) {
        guard pending.copiesLeft > 0, var segment = segments[id], segment.pendingRuns.count < Segment.flightsMax,
            segment.budget.acquire(pending.run.byteCount, now: now)
        else { return }
        var copy = pending
        copy.copiesLeft -= 1
        copy.copiesSent += 1
        copy.due = now + Segment.copyPauses[min(pending.copiesSent, Segment.copyPauses.count - 1)]
        segment.pendingRuns.append(copy)
        segments[id] = segment
    }

    mutating func send(_ contents: Datagram, on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>) {
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
