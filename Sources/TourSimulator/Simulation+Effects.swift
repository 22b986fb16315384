import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Carrying out the effects of a node's machine, each with the time that it takes.
extension Simulation {
    func feed(_ node: Int, _ input: TourInput) {
        nodes[node].runner.feed(input, in: SimulatedEnvironment(simulation: self, node: node))
    }

    func feed(_ node: Int, _ input: GossipMachine.Input) { feed(node, .replication(input)) }

    func plan(_ input: TourInput, for node: Int, after delay: Duration) {
        agenda.plan(.input(node: node, life: nodes[node].life, input), at: now + delay)
    }

    func wake(_ node: Int, at deadline: Instant?) {
        nodes[node].sizeMax.raise(to: nodes[node].gossip.size)
        guard let due = deadline else { return }
        if due <= now { nodes[node].tightTimers += 1 }
        let time = max(due, now + .microseconds(1))
        if let timer = nodes[node].timer, timer <= time { return }
        nodes[node].timer = time
        agenda.plan(.timer(node: node, life: nodes[node].life), at: time)
    }

    func carryOut(_ effect: TourEffect, _ node: Int) {
        switch effect {
        case .close(let link, let reason): close(link, saying: reason, by: node)
        // The network here has no socket to leave unread, and its links hold nothing back.
        case .setReading, .recognise: break
        case .began(let link): links[link]?[node].knowsPeer = true
        case .multicast(let segment, let datagram): multicast(datagram, on: segment, from: node)
        case .unicast(let link, let datagram): unicast(datagram, on: link, from: node)
        case .livesElsewhere(let link, let quietMax):
            wires?.links[link]?[node].recordLifeElsewhere(at: now, quietMax: quietMax)
        case .verify(let check): verify(check, node)
        case .verifyClaims(let check): verify(check, node)
        case .verifyPositions(let check): verify(check, node)
        case .compare(let question): answer(question, node)
        case .store(let run): store(run, isAhead: false, node)
        case .storeAhead(let run): store(run, isAhead: true, node)
        // As a node does, before anything else happens: what is stored later is not missing in what was read.
        case .reload: feed(node, .reloaded(nodes[node].store.logsAsStored))
        case .load(let link, let id, let range, let bytesMax):
            agenda.plan(
                .load(node: node, life: nodes[node].life, link, id: id, range, bytesMax: bytesMax),
                at: now + nodeConditions.loading)
        case .loadUrgent(let link, let ranges):
            let events = nodes[node].store.urgentEvents(ranges, limit: Limits.urgentBeforePullMax)
            plan(.replication(.urgent(link, events)), for: node, after: nodeConditions.loading)
        case .keepControls(let events, let dropped):
            // As for a node, a failure is none of the machine's business: the next link brings them again.
            if !failsWrite(node) { nodes[node].store.keep(events, without: dropped) }
        case .loadActs(let authors):
            let acts = nodes[node].store.controlEvents(of: authors).map(\.bytes)
            plan(.controls(acts), for: node, after: nodeConditions.loading)
        case .saveKeys: saveKeys(node)
        case .saveOwnLog(let state): nodes[node].ownLog = state
        case .rekey: feed(node, .rekeyed(isWritten: rekey(node)))
        case .publishWrappingKey: publishWrappingKey(node)
        case .makeInvite: makeInvite(node)
        case .writeFork(let proof, let author):
            if write(.fork(proof), node: node).isEmpty { feed(node, .forkNotWritten(author)) }
        case .keysLearnt: _ = nodes[node].machine.drainReadable()
        case .claimed(let claim): record(claim, node)
        case .refreshStatuses: refreshStatuses(node)
        case .signed(let claim): check(claim, node)
        case .rosterChanged: nodes[node].met.formUnion(nodes[node].group.roster.members.keys)
        case .fault(let fault):
            if let fault = fault as? GossipFault { nodes[node].faults[fault, default: 0] += 1 }
        // Nobody looks at the screen of a simulated node.
        case .recognised, .positioned, .twin: break
        // The runner does these.
        case .send, .sendOwed: break
        }
    }

    // MARK: - Verifying

    /// One processor for each node, first come first served.
    /// - Returns: how long until this work is done.
    func occupy(_ node: Int, for work: Duration) -> Duration {
        let free = max(nodes[node].verifierFree, now) + work
        nodes[node].verifierFree = free
        return free - now
    }

    private func verify(_ check: RunCheck, _ node: Int) {
        let delay = occupy(node, for: nodeConditions.work(on: check.run))
        plan(.checked(check, check.verified()), for: node, after: delay)
    }

    private func verify(_ check: ClaimCheck, _ node: Int) {
        let delay = occupy(node, for: nodeConditions.work(on: check.claims.map(\.heard.row)))
        plan(.checkedClaims(check, sound(check)), for: node, after: delay)
    }

    private func verify(_ check: PositionCheck, _ node: Int) {
        let delay = occupy(node, for: nodeConditions.work(on: check.rows.map(\.heard.row)))
        plan(.checkedPositions(check, check.verified()), for: node, after: delay)
    }

    /// Many nodes check the same row: its signature is checked once.
    private func sound(_ check: ClaimCheck) -> [VerifiedClaim] {
        check.claims.compactMap { heard, identity in
            var key = heard.row
            key.hops = 0
            if soundClaims[key] == heard.claim, identity != nil { return heard.verified }
            guard ClaimCheck.isSound(heard, by: identity, in: check.tour) else { return nil }
            soundClaims[key] = heard.claim
            return heard.verified
        }
    }

    private func answer(_ question: ForkQuestion, _ node: Int) {
        let known: [Event] =
            switch question.known {
            case .events(let events): events
            case .stored(let places):
                nodes[node].store.events(
                    Want.Range(author: question.author, first: places.lowerBound, last: places.upperBound),
                    bytesMax: Limits.pullBytesMax)
            }
        guard let proof = question.proof(from: known) else { return }
        plan(.forkFound(proof, of: question.author), for: node, after: nodeConditions.loading)
    }

    // MARK: - Storing

    private func store(_ run: VerifiedRun, isAhead: Bool, _ node: Int) {
        let wall = reading(of: node).wallMilliseconds
        let clocks = run.events.map(\.header.clock).filter { $0.isCredible(wallMilliseconds: wall) }
        nodes[node].known = max(nodes[node].known, clocks.max() ?? .zero)
        nodes[node].unstored.append((run, isAhead))
        if nodes[node].unstored.count == 1 {
            agenda.plan(.commit(node: node, life: nodes[node].life), at: now + nodeConditions.storing)
        }
    }

    /// The group commit: everything that arrived meanwhile is written together.
    func commit(_ node: Int) {
        nodes[node].store.sync(before: Instant(microseconds: now.microseconds - nodeConditions.unsynced.microseconds))
        let waiting = nodes[node].unstored
        nodes[node].unstored = []
        for (run, isAhead) in waiting {
            if failsWrite(node) {
                if !isAhead { nodes[node].store.torn.insert(run.author) }
                feed(node, .storeFailed(run, isAhead: isAhead))
                continue
            }
            if isAhead {
                for event in run.events { nodes[node].store.append(ahead: event, at: now) }
                onStored?(node, run.events)
                feed(node, .storedAhead(run))
                continue
            }
            let have = UInt64(nodes[node].store.logs[run.author]?.count ?? 0)
            // As a real store does, refuses a run that does not continue the log: it was verified before the one
            // that it follows was not stored.
            let isTorn = nodes[node].store.torn.remove(run.author) != nil
            if isTorn, run.first > have + 1 {
                nodes[node].store.torn.insert(run.author)
                feed(node, .storeFailed(run, isAhead: false))
                continue
            }
            if run.first != have + 1 { counts.brokenChains += 1 }
            let news = run.events.filter { $0.header.sequence > have }
            nodes[node].store.append(news, at: now)
            // Others kept the node's events from before its disk was restored: its log continues after them.
            if run.author == nodes[node].id, let last = run.events.last {
                nodes[node].known = max(nodes[node].known, last.header.clock)
            }
            onStored?(node, run.events)
            feed(node, .stored(run, events: news))
        }
    }

    // MARK: - Claims

    private func record(_ claim: VerifiedClaim, _ node: Int) {
        let member = claim.claim.member
        nodes[node].store.claims[member] = nodes[node].gossip.claims(of: member)
    }

    private func refreshStatuses(_ node: Int) {
        let store = nodes[node].store
        let before = nodes[node].machine.receipts.state.marks
        let changes = nodes[node].machine.refreshStatuses { author, above, clock in
            store.logs[author]?.dropFirst(Int(above)).first { $0.header.clock >= clock }?.header.sequence
        }
        // A disk may lose what its node has claimed.
        guard counts.disks.lostEvents == 0 else { return }
        for mark in changes.map(\.mark) {
            // Often `sent` alone has risen. Then a member who became known since may lack what was delivered before to
            // all who were known: that stays delivered. When `delivered` rises, this member has to have all of it.
            let hasRisen = mark.deliveredThrough > before[mark.author]?.deliveredThrough ?? 0
            for member in nodes where member.isHonest {
                let lacked = nodes[node].lacking(member, of: mark.author, through: mark.deliveredThrough)
                guard let lacked else { continue }
                if hasRisen || nodes[node].shows(lacked, heldBy: member.id) { counts.falseStatuses += 1 }
            }
        }
    }

    private func check(_ claim: VerifiedClaim, _ node: Int) {
        for head in claim.claim.heads {
            // A crash may keep a log and lose the event that admitted its author: the store knows it, the roster not.
            let stored = nodes[node].store.logs.first { $0.key.prefix == head.prefix }?.value.count ?? 0
            if head.sequence > UInt64(stored) { counts.overclaims += 1 }
        }
    }

    // MARK: - Acts

    /// If the member may, it makes a new epoch now.
    /// - Returns: whether it did.
    @discardableResult
    package func rekey(_ node: Int) -> Bool {
        guard nodes[node].isAlive, nodes[node].isHonest else { return false }
        let key = SecretBytes(rng.bytes(EpochKey.keyBytes))
        guard let rekey = try? nodes[node].machine.rekeyBody(key: key, at: reading(of: node)) else { return false }
        return !write(rekey.body, governs: rekey.isRemoval, node: node).isEmpty
    }

    private func publishWrappingKey(_ node: Int) {
        let secret = SecretBytes(rng.bytes(WrappingKeyPair.secretBytes))
        guard let fresh = WrappingKeyPair(secret: secret) else { return }
        let key = nodes[node].machine.prepareWrappingKey(at: reading(of: node)) { fresh }
        // The private half is on the disk before anybody can wrap to the public one.
        if saveKeys(node) { write(.wrappingKey(key), node: node) }
        feed(node, .publishedKey)
    }

    private func makeInvite(_ node: Int) {
        defer { feed(node, .madeInvite) }
        guard let epoch = nodes[node].group.keyring.sending,
            let secret = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes))
        else { return }
        let body = nodes[node].group.inviteBody(secret, uses: 0, expiresAt: nil, under: epoch)
        write(body, governs: true, node: node)
    }
}
