import TourModel
import TourWire

// Members' signed claims about themselves: kept by the highest counter, passed on once, along the tree. Where a member
// falls silent the tree may have a hole: then another link joins it.
extension GossipMachine {
    mutating func received(_ rows: [ClaimRow], _ origin: Origin, _ step: inout Step<some RandomNumberGenerator>) {
        guard origin.link.map({ links[$0]?.isDistrusted != true }) ?? true else { return }
        let authors = authors
        var news = [MemberID: [HeardClaim]]()
        for row in rows {
            let named: FrontierClaim?
            do {
                named = try FrontierClaim.decode(row.row) { authors[$0] }
            } catch {
                if let link = origin.link { links[link]?.badRuns += 1 }
                continue
            }
            guard let claim = named else { continue }
            removeQueued(claim, row, from: origin)
            guard board.known(of: claim.member).isNews(claim, among: authors) else {
                cameTwice(claim, origin, &step)
                continue
            }
            news[claim.member, default: []].append(HeardClaim(claim: claim, row: row))
        }
        let worth = news.keys.sorted().flatMap { member in
            board.known(of: member).worthChecking(news[member] ?? [], among: authors)
        }
        if !worth.isEmpty { step.outputs.append(.verifyClaims(origin, worth)) }
    }

    /// Removes from the queue of the claim's origin this claim and older ones of its member.
    private mutating func removeQueued(_ claim: FrontierClaim, _ row: ClaimRow, from origin: Origin) {
        let isNewest = claim.counter >= board.known(of: claim.member).counter
        switch origin {
        case .link(let link), .path(let link):
            if isNewest { links[link]?.claims.remove(claim.member) }
            links[link]?.olderClaims.remove(ClaimKey(member: claim.member, counter: claim.counter))
        // A claim heard on a segment may be forged: it leaves the queue when it is verified, or now if it equals our
        // own copy.
        case .air(let id):
            if board.newest(of: claim.member)?.row.row == row.row { segments[id]?.claims.remove(claim.member) }
        case .mailbox: break
        }
    }

    /// Counts claims that their members did not sign.
    mutating func forged(_ origin: Origin, _ count: Int, _ now: Instant) {
        switch origin {
        case .link(let link), .path(let link): links[link]?.badRuns += count
        case .air(let id): for _ in 0..<count { segments[id]?.recordBadRun(now) }
        case .mailbox: break
        }
    }

    mutating func accept(
        _ claims: [VerifiedClaim], from origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        for claim in claims {
            let member = claim.claim.member
            let known = board.known(of: member)
            guard known.isNews(claim.claim, among: authors) else { continue }
            let isNewest = claim.claim.counter > known.counter
            let opened = opened(claim.claim)
            let isRaised = known.rows.isEmpty || known.isRaised(by: opened, among: authors)
            board.add(claim, saying: opened, among: authors)
            guard member != own else {
                acceptReturned(claim.claim, isAhead: isNewest, &step)
                continue
            }
            if isNewest {
                presence.recordLife(of: member, step.now)
                if member == root { rootRow = FirstArrival(number: claim.claim.counter, origin: origin, at: step.now) }
                if case .air(let id) = origin { segments[id]?.claims.remove(member) }
                passOn(claim, isRaised: isRaised, from: origin, &step)
            } else {
                passOn(older: claim, from: origin, step.now)
            }
            step.outputs.append(.claimed(VerifiedClaim(claim: opened, row: claim.row), origin, isNewest: isNewest))
            // A neighbour's claim is as good as a `Have`.
            for head in opened.heads {
                guard let author = authors[head.prefix] else { continue }
                raise(author, to: head.sequence, having: member)
                pullLater(author, through: head.sequence, of: member, &step)
                if case .air(let id) = origin { miss(author, through: head.sequence, on: id, &step) }
            }
        }
    }

    /// A neighbour has events that we lack. Usually a push brings them in a moment; this pull finds what a link failed
    /// to announce.
    private mutating func pullLater(
        _ author: MemberID, through last: UInt64, of member: MemberID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard lacks(author, through: last), pulls[author] == nil, neighbours.values.contains(member) else { return }
        let chance = step.jitter(Limits.claimedPullJitterMicroseconds)
        schedulePull(author, at: step.now + Limits.claimedPullDelay + chance)
    }

    /// We signed this claim before a restart or restore. If its counter came from a clock that was ahead, our next
    /// counter must exceed it.
    private mutating func acceptReturned(
        _ claim: FrontierClaim, isAhead: Bool, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard isAhead else { return }
        board.raiseOwnRead(claim.readThrough)
        step.outputs.append(.ownCounter(claim.counter))
        // Not at once after the last claim: two copies of one node would drive each other on.
        board.speak(step.now)
    }

    /// - Parameter isRaised: whether the claim states more than that its member is alive; otherwise it may gather for
    ///   longer.
    private mutating func passOn(
        _ claim: VerifiedClaim, isRaised: Bool, from origin: Origin, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard claim.row.hops < Limits.hopsMax else { return }
        let source = origin.link.flatMap { links[$0]?.member }
        // The root's claims prune the tree: they must travel as quickly as events do.
        let isRoot = claim.claim.member == root
        let delay = isRoot ? .zero : isRaised ? Limits.claimDelay : Limits.lifeSignDelay
        var reached = [SegmentID]()
        for id in activeSegments(step.now) where fitsDatagram(claim.row) {
            // The peer that sent the claim sends it there itself.
            let isSaid = origin == .air(id) || source.map { segments[id]?.hears($0, now: step.now) == true } ?? false
            if !isSaid { plan(claimOf: claim.claim.member, on: id, at: step.now + delay, &step) }
            reached.append(id)
        }
        for link in links.keys.sorted() where link != origin.link {
            guard let state = links[link], state.isEager, state.member != claim.claim.member,
                !isReached(state.member, on: reached, step.now)
            else { continue }
            let due = step.now + delay
            links[link]?.claims.insert(claim.claim.member)
            links[link]?.claimsDue = min(state.claimsDue ?? due, due)
        }
    }

    /// Passes on an older row that states what we had missed: others have missed it too. The newest row will not tell
    /// them, so every link carries the older one, also where datagrams arrive.
    private mutating func passOn(older claim: VerifiedClaim, from origin: Origin, _ now: Instant) {
        guard claim.row.hops < Limits.hopsMax else { return }
        for link in links.keys.sorted() where link != origin.link {
            guard let state = links[link], state.member != claim.claim.member,
                state.olderClaims.count < Limits.olderClaimsMax
            else { continue }
            let due = now + (state.isEager ? Limits.claimDelay : Limits.lazyClaimDelay)
            links[link]?.olderClaims.insert(claim.key)
            links[link]?.claimsDue = min(state.claimsDue ?? due, due)
        }
    }

    private mutating func plan(
        claimOf member: MemberID, on id: SegmentID, at time: Instant, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let due = time + step.jitter(Limits.relayJitterMicroseconds)
        guard var segment = segments[id] else { return }
        segment.claims.insert(member)
        segment.claimsDue = min(segment.claimsDue ?? due, due)
        segments[id] = segment
    }

    mutating func flushClaims(_ step: inout Step<some RandomNumberGenerator>) {
        for link in links.keys.sorted() {
            guard var state = links[link], let due = state.claimsDue, due <= step.now else { continue }
            guard !state.isLagging else {
                links[link]?.claimsDue = step.now + Limits.lifeSignDelay
                continue
            }
            // The root's claims prune the tree: they must arrive in the order in which events do.
            let haste: LinkPath.Urgency? = state.claims.contains(root) ? .live : nil
            state.owedClaims += state.olderClaims.sorted()
            state.owedClaims += state.claims.sorted().compactMap { board.newest(of: $0)?.key }
            (state.claims, state.olderClaims) = ([], [])
            var rows = [ClaimRow]()
            var bytes = 0
            let most = state.path.isProven ? Limits.pathRowsAtOnceBytes : Limits.rowsAtOnceBytes
            while bytes < most, let key = state.owedClaims.popLast() {
                // Newer rows may have replaced this one.
                guard let row = board[key]?.row else { continue }
                rows.append(row)
                bytes += row.row.count + row.signature.count
            }
            state.claimsDue = state.owedClaims.isEmpty ? nil : step.now + Limits.claimDelay
            links[link] = state
            sendRows(rows, haste, to: link, &step)
        }
    }

    /// Queues all kept rows for the peer, which get sent a few at a time; a peer cannot trigger this again and again.
    mutating func owe(_ link: LinkID, _ now: Instant) {
        guard links[link]?.owedAt.map({ now - $0 >= Limits.silencePause }) ?? true else { return }
        links[link]?.owedClaims = board.all.map(\.key).reversed()
        links[link]?.owedAt = now
        links[link]?.claimsDue = now
    }

    /// Asks the shell to sign our next claim when it is due.
    mutating func signOwnClaim(_ step: inout Step<some RandomNumberGenerator>) {
        guard !links.isEmpty, let due = board.ownDue, due <= step.now else { return }
        board.ownDue = nil
        // Where datagrams are lost, more rows list a change.
        let repeats = Limits.claimRepeats + Limits.claimRepeatsPerWord * loudness(step.now).words
        let settled = settledWhole(step.now)
        let heads = board.nextHeads(
            own, of: stored, settled: settled?.byAuthor, repeats: repeats, step.now, using: &step.rng)
        step.outputs.append(.signClaim(heads, whole: settled?.whole, readThrough: board.ownRead))
    }

    /// Our own claim goes to every neighbour at once: one datagram serves those that hear us. A mere sign of life that
    /// goes over links gathers with those of others.
    mutating func publish(
        own claim: VerifiedClaim, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let known = board.known(of: own)
        let opened = opened(claim.claim)
        let isRaised = known.rows.isEmpty || known.isRaised(by: opened, among: authors)
        board.signed(claim, saying: opened, among: authors, step.now, members: members.count, using: &step.rng)
        let active = fitsDatagram(claim.row) ? activeSegments(step.now) : []
        for id in active {
            segments[id]?.claims.insert(own)
            segments[id]?.claimsDue = step.now
        }
        for link in links.keys.sorted() {
            guard let state = links[link], state.isEager, !isReached(state.member, on: active, step.now) else {
                continue
            }
            guard !isRaised, own != root else {
                sendRows([claim.row], own == root ? .live : nil, to: link, &step)
                continue
            }
            let due = step.now + Limits.lifeSignDelay
            links[link]?.claims.insert(own)
            links[link]?.claimsDue = min(state.claimsDue ?? due, due)
        }
    }

    /// A member's sign of life is missing: the tree may have a hole between us, so one more link joins it. The next
    /// event prunes the link if it was not needed.
    mutating func mendTree(_ step: inout Step<some RandomNumberGenerator>) {
        guard let due = presence.due, due <= step.now else { return }
        let active = segments.values.filter { $0.isActive(now: step.now) }
        let isMissed = presence.missesAnybody(step.now) { member in
            active.contains { $0.wasHeard(member, now: step.now) }
        }
        guard isMissed else { return }
        let lazy = links.keys.sorted().filter { link in
            links[link].map { !$0.isEager && $0.hasSpoken && !$0.isDistrusted && !$0.isLagging } ?? false
        }
        guard let link = lazy.randomElement(using: &step.rng) else { return }
        send(.want(Want(id: nextPullID, ranges: [], graft: true)), to: link, &step)
        nextPullID &+= 1
        join(link, &step)
        owe(link, step.now)
    }

    /// Restores every claim and the user's read position, as the store keeps them over a restart.
    /// - Parameter through: the last clock of the stored events.
    /// - Returns: the claims with all heads that they imply, as far as the stored events show.
    @discardableResult
    package mutating func restore(
        _ claims: [VerifiedClaim], readThrough: LogicalClock? = nil, through: LogicalClock? = nil
    ) -> [FrontierClaim] {
        timeline.begin(through: through)
        let opened = claims.map { self.opened($0.claim) }
        for (claim, opened) in zip(claims, opened) {
            board.add(claim, saying: opened, among: authors)
        }
        board.raiseOwnRead(readThrough ?? board.newest(of: own)?.claim.readThrough)
        return opened
    }

    /// The claims that a member has made of itself, in as few rows as state them, the newest first.
    package func claims(of member: MemberID) -> [VerifiedClaim] { board.claims[member]?.rows ?? [] }

    /// Sends a stored event again: on every segment, and on every link whose peer does not claim to have it, pruned
    /// links included; a peer that lacks events before it in the log pulls them.
    mutating func resend(
        _ event: Event, hops: Int, _ step: inout Step<some RandomNumberGenerator>
    ) {
        let header = event.header
        guard hops < Limits.hopsMax, header.sequence <= stored[header.author] else { return }
        recent.add(event, hops: hops)
        _ = scheduleMulticast([event], hops: hops, on: activeSegments(step.now), from: nil, &step)
        for link in links.keys.sorted() {
            guard let state = links[link], state.hasSpoken, state.member != header.author else { continue }
            let claimed = board.claims[state.member].map { $0.heads[header.author.prefix] ?? 0 } ?? .max
            guard min(state.peerHas[header.author], claimed) < header.sequence else { continue }
            for run in Run.runs(of: [event], hops: hops, pushed: true) { step.outputs.append(.send(link, .run(run))) }
        }
    }

    private mutating func sendRows(
        _ rows: [ClaimRow], _ haste: LinkPath.Urgency?, to link: LinkID, _ step: inout Step<some RandomNumberGenerator>
    ) {
        // A few rows fit a datagram; many go over the connection.
        let most = links[link]?.path.isProven == true ? Limits.pathMessageBytesMax : Limits.slicePayloadBytesMax / 2
        var batch = [ClaimRow]()
        var bytes = 0
        for row in rows {
            let size = row.row.count + 80
            if bytes + size > most, !batch.isEmpty {
                send(.rows(batch), haste, to: link, &step)
                batch = []
                bytes = 0
            }
            batch.append(row)
            bytes += size
        }
        if !batch.isEmpty { send(.rows(batch), haste, to: link, &step) }
    }
}
