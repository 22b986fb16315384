import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport
import TourWire
import TourWords

// Members' signed claims, and the statuses that follow from them.
extension TourNode {
    func verify(_ heard: [HeardClaim], _ origin: Origin, _ session: TourSession) {
        guard case .air = origin else { return check(heard, origin, session) }
        // A datagram's contents are sent again: they never fill the queue that links need.
        if session.unstored > Limits.unstoredEventsMax / 8 { return }
        // Followers learn at once of a member who was away; and the tree is pruned by which way the root's rows
        // arrive first.
        let now = NodeClock.now
        let root = session.gossip.root
        let isUrgent = { (claim: HeardClaim) in
            let member = claim.claim.member
            return member == root || !session.isReachable(member, now: now)
        }
        check(heard.filter(isUrgent), origin, session)
        gather(heard.filter { !isUrgent($0) }, origin, session)
    }

    private func gather(_ heard: [HeardClaim], _ origin: Origin, _ session: TourSession) {
        let isFirst = session.gatheredClaims.add(heard, origin)
        if session.gatheredClaims.isFull { return checkGathered(session) }
        guard isFirst else { return }
        let tour = session.tour
        let delays = GatheredClaims.delayMinMicroseconds...GatheredClaims.delayMaxMicroseconds
        loop.scheduleTask(in: .microseconds(.random(in: delays, using: &rng))) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                if let session = node.sessions[tour] { node.checkGathered(session) }
            }
        }
    }

    private func checkGathered(_ session: TourSession) {
        for (origin, claims) in session.gatheredClaims.drain() { check(claims, origin, session) }
    }

    private func check(_ heard: [HeardClaim], _ origin: Origin, _ session: TourSession) {
        guard !heard.isEmpty else { return }
        let tour = session.tour
        let members = session.group.roster.members
        let sound = { @Sendable (claim: HeardClaim) -> VerifiedClaim? in
            let member = claim.claim.member
            let digest = Self.claimDigest(claim.row.row, of: member, tour: tour)
            guard members[member]?.identity.verifies(claim.row.signature, of: digest) == true else { return nil }
            return claim.verified
        }
        guard heard.count > Self.claimsCheckedAtOnceMax else {
            return checked(heard.compactMap(sound), of: heard.count, origin, session)
        }
        updateBacklog(session, change: heard.count)
        verifier.submit { [self] in
            let claims = heard.compactMap(sound)
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    node.updateBacklog(session, change: -heard.count)
                    node.checked(claims, of: heard.count, origin, session)
                }
            }
        }
    }

    /// Checking this many signatures takes less time than waking another thread and being woken by it.
    private static let claimsCheckedAtOnceMax = 2

    private func checked(_ claims: [VerifiedClaim], of count: Int, _ origin: Origin, _ session: TourSession) {
        let forged = count - claims.count
        for _ in 0..<forged { self.count(VerificationFault.badSignature) }
        feed(session, .claims(origin, claims))
        if forged > 0 { feed(session, .forgedClaims(origin, count: forged)) }
    }

    func signClaim(
        _ heads: [PrefixedHead], _ whole: WholeFrontier?, readThrough: LogicalClock?, _ session: TourSession
    ) {
        // The counter is the wall clock in microseconds, and never falls behind one that we signed before.
        let counter = max(UInt64(clamping: NodeClock.wallMicroseconds), session.claimCounter &+ 1)
        session.claimCounter = counter
        let claim = FrontierClaim(
            member: session.own, counter: counter, heads: heads, whole: whole, readThrough: readThrough)
        let row = claim.encode()
        let signature = session.keys.identity.sign(Self.claimDigest(row, of: session.own, tour: session.tour))
        // Saved for the counter too: a node without a clock of its own may start with an earlier time.
        session.unsavedClaims.insert(session.own)
        let signed = ClaimRow(row: row, signature: signature, hops: 0)
        feed(session, .claim(VerifiedClaim(claim: claim, row: signed)))
    }

    /// A row of our own with a counter that we did not sign. Counters are microseconds since 1970: one from before
    /// our start may come from an earlier life of ours, a later one comes from another device with our key. After a
    /// clock was set back, rows that others stored of an earlier life look like the latter, but arrive only at first.
    func recordOwnCounter(_ counter: UInt64, _ session: TourSession) {
        if counter > session.claimCounter, counter > UInt64(clamping: startedAtWall) {
            recordTwinSign(in: session)
        }
        session.claimCounter = max(session.claimCounter, counter)
    }

    /// A sign that another device has our key: it counts only if such signs continue.
    func recordTwinSign(in session: TourSession) {
        let now = NodeClock.now
        let recent = session.firstTwinSignAt.flatMap { now - $0 <= Self.twinSignsApartMax ? $0 : nil }
        session.firstTwinSignAt = recent ?? now
        guard let recent, now - recent >= Self.twinSignsApartMin else { return }
        if session.twinHeardAt == nil {
            let phrase = Phrase(
                """
                Another device with your key in “\(session.record.name)” is online: one of the two is a copy. \
                See 'tour-chat doctor'.
                """)
            moments?.yield(NodeMoment(.twin, phrase))
        }
        session.twinHeardAt = now
    }

    private static let twinSignsApartMin: Duration = .seconds(15)
    private static let twinSignsApartMax: Duration = .seconds(180)

    func claimed(_ claim: VerifiedClaim, _ origin: Origin, isNewest: Bool, _ session: TourSession) {
        let member = claim.claim.member
        let (now, wall) = (NodeClock.now, NodeClock.wallMicroseconds)
        // An earlier run may have received a newer row, and stopped before storing it.
        let isNewest = isNewest && session.signs.isNewest(claim.claim.counter, of: member)
        if isNewest {
            session.signs.claimed(
                member, counter: claim.claim.counter, hops: claim.row.hops, now: now, wall: wall)
            session.recordTime(of: member, microseconds: claim.claim.counter, now: now)
            // The member sent this itself, on a network that we share.
            if case .air(let segment) = origin, claim.row.hops == 1 {
                let quietMax = session.gossip.quietMax(on: segment)
                session.connection(to: member)?.1.recordLifeElsewhere(at: now, quietMax: quietMax)
            }
        }
        session.board.record(claim.claim, at: wall, isNewest: isNewest) {
            session.gossip.knows(prefix: $0)
        }
        session.unsavedClaims.insert(member)
        session.isBoardStale = true
        scheduleBoard(session)
    }

    /// H("frontier", tour id, member id, row): what a claim's signature covers.
    private nonisolated static func claimDigest(_ row: [UInt8], of member: MemberID, tour: TourID) -> [UInt8] {
        Hash.of(.frontier, tour.bytes, member.bytes, row).bytes
    }

    // Statuses follow claims a moment later, all together: one pass for many claims, and a pause between two passes.
    func scheduleBoard(_ session: TourSession) {
        guard !session.isBoardScheduled else { return }
        session.isBoardScheduled = true
        let tour = session.tour
        let now = NodeClock.now
        let due = max(now + boardDelay(session), session.boardPausedUntil)
        loop.scheduleTask(in: .microseconds((due - now).microseconds)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.isBoardScheduled = false
                node.refreshBoard(of: session)
            }
        }
    }

    /// The author of a message watches its status; statuses of others' messages need not rise everywhere at the same
    /// moment.
    private func boardDelay(_ session: TourSession) -> Duration {
        let isAuthorWaiting = session.board.marks[session.own]?.deliveredThrough ?? 0 < session.durableTail.sequence
        guard !isAuthorWaiting else { return Self.boardDelayMin }
        return .microseconds(Int64.random(in: 0...Self.boardJitterMicroseconds, using: &rng)) + Self.boardDelayMin
    }

    private static let boardDelayMin: Duration = .milliseconds(50)
    private static let boardJitterMicroseconds: Int64 = 450_000
    private static let boardPause: Duration = .milliseconds(500)

    /// Raises the marks that a batch of arrivals raises, before followers get the batch.
    func refreshBoard(of session: TourSession, batch: [ArrivedEvent], _ heads: [MemberID: UInt64]) {
        var firsts = [MemberID: UInt64]()
        for event in batch.lazy.map(\.stored.event.header) where firsts[event.author] == nil {
            firsts[event.author] = event.sequence
        }
        for change in changes(of: session, authors: heads) {
            // Followers have not received the batch itself yet.
            let seen = min(change.range.upperBound, (firsts[change.mark.author] ?? 1) - 1)
            guard change.range.lowerBound <= seen else { continue }
            notifyOfStatus(change.mark.author, change.range.lowerBound...seen, session)
        }
    }

    func refreshBoard(of session: TourSession) {
        let now = NodeClock.now
        guard session.isBoardStale, session.boardPausedUntil <= now else { return }
        session.isBoardStale = false
        for change in changes(of: session, authors: session.gossip.stored.heads) {
            notifyOfStatus(change.mark.author, change.range, session)
        }
        session.boardPausedUntil = now + Self.boardPause
    }

    /// Raises the marks of these authors, here and in the store.
    private func changes(
        of session: TourSession, authors: [MemberID: UInt64]
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        let store = store
        let tour = session.tour
        let members = Dictionary(uniqueKeysWithValues: session.group.roster.people.map { ($0.id, $0.admittedAt) })
        let changes = session.board.refresh(authors: authors, members: members) { author, above, clock in
            do {
                return try store.firstSequence(tour, author: author, above: above, clockAtLeast: clock)
            } catch {
                // If the look-up fails, the event counts as needed and as unread, so that no status is too high.
                return above + 1
            }
        }
        guard !changes.isEmpty else { return [] }
        let marks = changes.map(\.mark)
        // A mark that could not be stored is computed again after a restart.
        writeBeside { store throws(StoreError) in try store.raiseWatermarks(tour, marks) }
        return changes
    }

    /// Stores claims over a restart, so that "delivered" does not depend on hearing from every member again.
    func saveClaims(of session: TourSession) {
        let (now, wall) = (NodeClock.now, NodeClock.wallMicroseconds)
        let rows = session.unsavedClaims.flatMap { member in
            // A member's last sign of life is at least as new as its newest claim.
            session.gossip.claims(of: member).map {
                FrontierRecord(
                    member: member, counter: $0.claim.counter, bytes: $0.row.row, signature: $0.row.signature,
                    receivedAt: session.signs.seenAt(member, now: now, wall: wall) ?? wall)
            }
        }
        session.unsavedClaims = []
        guard !rows.isEmpty else { return }
        do { try store.saveFrontierRows(session.tour, rows) } catch { count(error) }
    }
}
