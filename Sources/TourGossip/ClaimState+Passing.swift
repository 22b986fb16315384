import TourModel
import TourWire

// Claims are passed on once, along the tree.
extension ClaimState {
    private static let answerJitterMicroseconds: Int64 = 2_000_000

    /// Asks the shell to verify the rows that are news.
    func receive(
        _ rows: [ClaimRow], _ origin: Origin, _ authors: Authors, _ tree: PushTree, _ multicast: inout Multicast,
        _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard origin.link.map({ links[$0]?.isDistrusted != true }) ?? true else { return }
        let authors = authors.byPrefix
        var news = [MemberID: [HeardClaim]]()
        var shown = [MemberID: UInt64]()
        var foreign: HeardClaim?
        for row in rows {
            let named: FrontierClaim?
            do {
                named = try FrontierClaim.decode(row.row) { authors[$0] }
            } catch {
                if let link = origin.link { links[link]?.recordBadRuns() }
                continue
            }
            guard let claim = named else { continue }
            shown[claim.member] = max(shown[claim.member] ?? 0, claim.counter)
            removeQueued(claim, row, from: origin, &multicast, &links)
            guard known(of: claim.member).isNews(claim, among: authors) else {
                if isForeign(claim), claim.counter > foreign?.claim.counter ?? 0 {
                    foreign = HeardClaim(claim: claim, row: row)
                }
                tree.cameTwice(claim, origin, &links, &step)
                continue
            }
            news[claim.member, default: []].append(HeardClaim(claim: claim, row: row))
        }
        var worth = news.keys.sorted().flatMap { member in
            known(of: member).worthChecking(news[member] ?? [], among: authors)
        }
        // No news of what we have, and yet news: somebody else signs with our key.
        if let foreign { worth.append(foreign) }
        if !worth.isEmpty { step.outputs.append(.verifyClaims(origin, worth)) }
        for member in shown.keys.sorted() {
            answer(member, shown: shown[member] ?? 0, from: origin, &multicast, &links, &step)
        }
    }

    /// A peer that shows an older claim of a member than the newest here lacks that one, and gets it if nobody else
    /// has sent it by then. Else a guest's host that never heard the row of the host before it, and whose clock is
    /// behind that one's, would sign rows that count nowhere.
    private func answer(
        _ member: MemberID, shown counter: UInt64, from origin: Origin, _ multicast: inout Multicast,
        _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard let newest = newest(of: member), newest.claim.counter > counter, newest.row.hops < Limits.hopsMax else {
            return
        }
        let due = step.now + Limits.lazyClaimDelay
        switch origin {
        case .link(let link), .path(let link): links[link]?.claims.answer(newestOf: member, at: due, step.now)
        case .multicast(let id):
            guard newest.row.fitsDatagram else { return }
            // Many hear it there: one answers, and the others hear that.
            multicast.add(claimOf: member, on: id, at: due + step.jitter(Self.answerJitterMicroseconds))
        case .mailbox: break
        }
    }

    /// Removes from the queue of the claim's origin this claim and older ones of its member.
    private func removeQueued(
        _ claim: FrontierClaim, _ row: ClaimRow, from origin: Origin, _ multicast: inout Multicast,
        _ links: inout Links
    ) {
        let isNewest = claim.counter >= known(of: claim.member).counter
        switch origin {
        case .link(let link), .path(let link):
            if isNewest { links[link]?.claims.remove(newestOf: claim.member) }
            links[link]?.claims.remove(older: ClaimKey(member: claim.member, counter: claim.counter))
        // A claim heard on a segment may be forged: it leaves the queue when it is verified, or now if it equals our
        // own copy.
        case .multicast(let id):
            if newest(of: claim.member)?.row.row == row.row { multicast.remove(claimOf: claim.member, on: id) }
        case .mailbox: break
        }
    }

    /// Counts claims that their members did not sign.
    static func recordForged(
        _ count: Int, _ origin: Origin, _ multicast: inout Multicast, _ links: inout Links, _ now: Instant
    ) {
        switch origin {
        case .link(let link), .path(let link): links[link]?.recordBadRuns(count)
        case .multicast(let id): for _ in 0..<count { multicast.recordBadRun(on: id, now) }
        case .mailbox: break
        }
    }

    /// Schedules a member's newest claim on segments and links.
    /// - Parameter isRaised: whether the claim states more than that its member is alive; otherwise it may gather for
    ///   longer.
    /// - Parameter root: the root's claims prune the tree: they must travel as quickly as events do.
    static func passOn(
        _ claim: VerifiedClaim, isRaised: Bool, from origin: Origin, root: MemberID, _ multicast: inout Multicast,
        _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>
    ) {
        guard claim.row.hops < Limits.hopsMax else { return }
        let member = claim.claim.member
        let source = origin.link.flatMap { links[$0]?.member }
        let delay = member == root ? .zero : isRaised ? Limits.claimDelay : Limits.lifeSignDelay
        var reached = [SegmentID]()
        for id in multicast.active(step.now) where claim.row.fitsDatagram {
            // The peer that sent the claim sends it there itself.
            let isSaid = origin == .multicast(id) || source.map { multicast.hears($0, on: id, step.now) } ?? false
            if !isSaid {
                let due = step.now + delay + step.jitter(Limits.relayJitterMicroseconds)
                multicast.add(claimOf: member, on: id, at: due)
            }
            reached.append(id)
        }
        for link in links.ids where link != origin.link {
            guard let state = links[link], state.branch.isEager, state.member != member,
                !multicast.isReached(state.member, on: reached, step.now)
            else { continue }
            links[link]?.claims.add(newestOf: member, at: step.now + delay)
        }
    }

    /// Passes on an older row that states what we had missed: others have missed it too. The newest row will not tell
    /// them, so every link carries the older one, also where datagrams arrive.
    static func passOn(older claim: VerifiedClaim, from origin: Origin, _ links: inout Links, _ now: Instant) {
        guard claim.row.hops < Limits.hopsMax else { return }
        for link in links.ids where link != origin.link {
            guard let state = links[link], state.member != claim.claim.member else { continue }
            let delay = state.branch.isEager ? Limits.claimDelay : Limits.lazyClaimDelay
            links[link]?.claims.add(older: claim.key, at: now + delay)
        }
    }

    /// Our own claim goes to every neighbour at once: one datagram serves those that hear us. A mere sign of life that
    /// goes over links gathers with those of others, but for the first one on a link: where two devices with one key
    /// take each other's place every second, nothing else tells each of them of the other. The last claim before a
    /// sleep goes out on every link as well: nothing repeats it.
    static func passOn(
        own claim: VerifiedClaim, isRaised: Bool, root: MemberID, _ multicast: inout Multicast, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        let own = claim.claim.member
        let active = claim.row.fitsDatagram ? multicast.active(step.now) : []
        for id in active { multicast.addOwnClaim(on: id, step.now) }
        for link in links.ids {
            let isLast = claim.claim.isAsleep
            guard let state = links[link],
                isLast || state.branch.isEager && !multicast.isReached(state.member, on: active, step.now)
            else { continue }
            let isFirst = !state.claims.isGreeted
            links[link]?.claims.greet()
            guard !isRaised, !isFirst, !isLast, own != root else {
                send([claim.row], own == root || isLast ? .live : nil, to: link, &links, &step)
                continue
            }
            links[link]?.claims.add(newestOf: own, at: step.now + Limits.lifeSignDelay)
        }
    }

    /// Sends the rows that are due on links.
    func flush(root: MemberID, _ links: inout Links, _ step: inout Step<some RandomNumberGenerator>) {
        for link in links.ids {
            guard let state = links[link], let due = state.claims.due, due <= step.now else { continue }
            guard !state.isLagging else {
                links[link]?.claims.postpone(to: step.now + Limits.lifeSignDelay)
                continue
            }
            // The root's claims prune the tree: they must arrive in the order in which events do.
            let haste: LinkPath.Urgency? = state.claims.newest.contains(root) ? .live : nil
            let most = state.path.isProven ? LinkPath.rowsAtOnceBytes : Limits.rowsAtOnceBytes
            let rows = links[link]?.claims.dequeue(bytesMax: most, from: self, step.now) ?? []
            Self.send(rows, haste, to: link, &links, &step)
        }
    }

    private static func send(
        _ rows: [ClaimRow], _ haste: LinkPath.Urgency?, to link: LinkID, _ links: inout Links,
        _ step: inout Step<some RandomNumberGenerator>
    ) {
        // A few rows fit a datagram; many go over the connection.
        let most = links[link]?.path.isProven == true ? LinkPath.messageBytesMax : Limits.slicePayloadBytesMax / 2
        var batch = [ClaimRow]()
        var bytes = 0
        for row in rows {
            let size = row.row.count + 80
            if bytes + size > most, !batch.isEmpty {
                links.send(.rows(batch), haste, to: link, &step)
                batch = []
                bytes = 0
            }
            batch.append(row)
            bytes += size
        }
        if !batch.isEmpty { links.send(.rows(batch), haste, to: link, &step) }
    }
}

extension ClaimRow {
    /// Whether the claim fits a datagram; longer claims go over links.
    fileprivate var fitsDatagram: Bool { row.count <= Limits.airClaimBytesMax }
}
