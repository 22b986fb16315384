import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

// The shell of a node: carries out the outputs of its machine, and feeds the results back.
extension Simulation {
    func feed(_ node: Int, _ input: GossipMachine.Input) {
        var outputs = [GossipMachine.Output]()
        nodes[node].gossip.handle(input, now: now, using: &rng, into: &outputs)
        for output in outputs { carryOut(output, node) }
        schedule(node)
    }

    private func schedule(_ node: Int) {
        nodes[node].sizeMax.raise(to: nodes[node].gossip.size)
        guard let due = nodes[node].gossip.nextDeadline else { return }
        if due <= now { nodes[node].tightTimers += 1 }
        let time = max(due, now + .microseconds(1))
        if let timer = nodes[node].timer, timer <= time { return }
        nodes[node].timer = time
        agenda.plan(.timer(node: node, life: nodes[node].life), at: time)
    }

    private func carryOut(_ output: GossipMachine.Output, _ node: Int) {
        switch output {
        case .send(let link, let message): transmit(message, link, from: node)
        case .multicast(let segment, let datagram): multicast(datagram, on: segment, from: node)
        case .unicast(let link, let datagram): unicast(datagram, on: link, from: node)
        case .verify(let origin, let run): verify(run, origin, node)
        case .store(let run): store(run, isAhead: false, node)
        case .storeAhead(let run): store(run, isAhead: true, node)
        case .load(let link, let id, let range, let bytesMax):
            agenda.plan(
                .load(node: node, life: nodes[node].life, link, id: id, range, bytesMax: bytesMax),
                at: now + nodeConditions.loading)
        case .loadUrgent(let link, let ranges):
            let events = nodes[node].store.urgentEvents(ranges, limit: Limits.urgentBeforePullMax)
            plan(.urgent(link, events), for: node, after: nodeConditions.loading)
        case .verifyClaims(let origin, let heard): verify(heard, origin, node)
        case .signClaim(let heads, let whole, let readThrough): sign(heads, whole, readThrough, node)
        case .ownCounter(let counter): nodes[node].claimCounter = max(nodes[node].claimCounter, counter)
        case .claimed(let claim, let origin, let isNewest):
            let member = claim.claim.member
            if case .air(let segment) = origin, claim.row.hops == 1 {
                wires?.recordLife(of: member, on: segment, heardBy: nodes[node], node, now: now)
            }
            nodes[node].store.claims[member] = nodes[node].gossip.claims(of: member)
            let heads = claim.claim.heads.map { ($0.prefix, $0.sequence) }
            nodes[node].claimedHeads[member, default: [:]].merge(heads, uniquingKeysWith: max)
            if isNewest { nodes[node].dialling.seenAt[member] = now }
        case .verifyPositions(let origin, let heard): verify(heard, origin, node)
        case .positioned: break
        case .compareControls(let link):
            counts.comparisons += 1
            transmit(.controlIndex(nodes[node].group.controlIndex), link, from: node)
        // The checkers know the forking authors: no node has to prove a fork.
        case .compare: break
        case .ownLog(let state): nodes[node].ownLog = state
        case .fault(_, let fault): nodes[node].faults[fault, default: 0] += 1
        }
    }

    /// One processor for each node, first come first served.
    /// - Returns: how long until this work is done.
    func occupy(_ node: Int, for work: Duration) -> Duration {
        let free = max(nodes[node].verifierFree, now) + work
        nodes[node].verifierFree = free
        return free - now
    }

    private func verify(_ run: Run, _ origin: Origin, _ node: Int) {
        let group = nodes[node].group
        let delay = occupy(node, for: nodeConditions.work(on: run))
        if let identity = group.roster.members[run.author]?.identity,
            let verified = try? VerifiedRun(run, tour: group.tour, identity: identity)
        {
            plan(.verified(origin, verified), for: node, after: delay)
        } else {
            let isKnown = nodes[node].group.roster.members[run.author] != nil
            let author = run.author
            plan(isKnown ? .refused(origin, author: author) : .skipped(origin, author: author), for: node, after: delay)
        }
    }

    private func store(_ run: VerifiedRun, isAhead: Bool, _ node: Int) {
        controlsAdded(nodes[node].group.add(verified: run.events), node)
        let wall = wallMilliseconds(of: node)
        for event in run.events { nodes[node].author.witness(event.header.clock, wallMilliseconds: wall) }
        let clocks = run.events.map(\.header.clock).filter { $0.isCredible(wallMilliseconds: wall) }
        nodes[node].known = max(nodes[node].known, clocks.max() ?? .zero)
        nodes[node].unstored.append((run, isAhead))
        if nodes[node].unstored.count == 1 {
            agenda.plan(.commit(node: node, life: nodes[node].life), at: now + nodeConditions.storing)
        }
    }

    /// The group commit: everything that arrived meanwhile is written together.
    func commit(_ node: Int) {
        var heads = [MemberID: UInt64]()
        nodes[node].store.sync(before: Instant(microseconds: now.microseconds - nodeConditions.unsynced.microseconds))
        for (run, isAhead) in nodes[node].unstored {
            if isAhead {
                for event in run.events { nodes[node].store.append(ahead: event, at: now) }
                onStored?(node, run.events)
                continue
            }
            let have = UInt64(nodes[node].store.logs[run.author]?.count ?? 0)
            // As a real store does, refuses a run that does not continue the log.
            if run.first != have + 1 { counts.brokenChains += 1 }
            nodes[node].store.append(run.events.filter { $0.header.sequence > have }, at: now)
            heads[run.author] = max(heads[run.author] ?? 0, run.last)
            adopt(run, node)
            onStored?(node, run.events)
        }
        nodes[node].unstored = []
        if !heads.isEmpty { feed(node, .stored(heads)) }
    }

    /// Others kept the node's events from before its disk was restored: its log continues after them.
    private func adopt(_ run: VerifiedRun, _ node: Int) {
        guard run.author == nodes[node].id, let last = run.events.last,
            last.header.sequence > nodes[node].author.tail.sequence
        else { return }
        nodes[node].author.adopt(last)
        nodes[node].known = max(nodes[node].known, last.header.clock)
    }

    private func verify(_ heard: [HeardClaim], _ origin: Origin, _ node: Int) {
        let claims = heard.filter { isSound($0, node) }.map(\.verified)
        plan(.claims(origin, claims), for: node, after: occupy(node, for: nodeConditions.work(on: heard.map(\.row))))
    }

    private func isSound(_ heard: HeardClaim, _ node: Int) -> Bool {
        var key = heard.row
        key.hops = 0
        if soundClaims[key] == heard.claim { return true }
        let group = nodes[node].group
        let digest = Self.claimDigest(key.row, of: heard.claim.member, group.tour)
        guard group.roster.members[heard.claim.member]?.identity.verifies(key.signature, of: digest) == true else {
            return false
        }
        soundClaims[key] = heard.claim
        return true
    }

    private func sign(
        _ heads: [PrefixedHead], _ whole: WholeFrontier?, _ readThrough: LogicalClock?, _ node: Int
    ) {
        let counter = max(UInt64(clamping: wallMilliseconds(of: node)) * 1_000, nodes[node].claimCounter + 1)
        nodes[node].claimCounter = counter
        let claim = FrontierClaim(
            member: nodes[node].id, counter: counter, heads: heads, whole: whole, readThrough: readThrough)
        let row = claim.encode()
        let digest = Self.claimDigest(row, of: nodes[node].id, nodes[node].group.tour)
        let signature = nodes[node].keys.identity.sign(digest)
        for head in heads {
            let author = nodes[node].gossip.member(prefix: head.prefix)
            let stored = author.flatMap { nodes[node].store.logs[$0]?.count } ?? 0
            if head.sequence > UInt64(stored) { counts.overclaims += 1 }
        }
        let signed = ClaimRow(row: row, signature: signature, hops: 0)
        feed(node, .claim(VerifiedClaim(claim: claim, row: signed)))
    }

    /// H("frontier", tour id, member id, row). Source: `Protocol/06-replication.md`, "Claims".
    static func claimDigest(_ row: [UInt8], of member: MemberID, _ tour: TourID) -> [UInt8] {
        Hash.of(.frontier, tour.bytes, member.bytes, row).bytes
    }

    /// The roster may have grown: updates the machine, opens links of new members fully, and passes the events to
    /// others.
    func controlsAdded(_ events: [Event], _ node: Int, from source: LinkID? = nil) {
        guard !events.isEmpty else { return }
        nodes[node].store.controls += events
        let roster = nodes[node].group.roster
        feed(
            node,
            .authors(
                roster.members.keys.sorted(), leaders: roster.leaders, ends: roster.ends,
                ownThrough: nodes[node].group.shownTail(of: nodes[node].id), people: Set(roster.people.map(\.id))))
        for link in nodes[node].links.keys.sorted() {
            recognise(link, by: node)
            if link != source { transmit(.control(events.map(\.bytes)), link, from: node) }
        }
        followEpochs(node)
    }
}
