import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport
import TourWire

// Feeding a tour's replication machine, and carrying out what it asks for.
extension TourNode {
    func feed(_ session: TourSession, _ input: GossipMachine.Input) {
        var outputs = [GossipMachine.Output]()
        session.gossip.handle(input, now: NodeClock.now, using: &rng, into: &outputs)
        for output in outputs { carryOut(output, session) }
        schedule(session)
    }

    private func carryOut(_ output: GossipMachine.Output, _ session: TourSession) {
        switch output {
        case .send(let link, let message): session.connections[link]?.send(message)
        case .verify(let link, let run): verify(run, link, session)
        case .store(let run): store(run, session)
        case .load(let link, let id, let range, let bytesMax): load(link, id, range, bytesMax, session)
        case .verifyClaims(let link, let rows): verify(rows, link, session)
        case .signClaim(let frontier): signClaim(frontier, session)
        case .claimed(let claim): claimed(claim, session)
        case .ownCounter(let counter): session.claimCounter = max(session.claimCounter, counter)
        case .compareControls(let link): compareControls(on: link, session)
        case .fault(_, let fault): count(fault)
        }
    }

    private func verify(_ run: Run, _ link: LinkID, _ session: TourSession) {
        let tour = session.tour
        guard let identity = session.group.roster.members[run.author]?.identity else {
            feed(session, .skipped(link, author: run.author))
            return
        }
        if session.verifying == 0, run.events.count <= Self.eventsVerifiedAtOnceMax {
            let verified = try? VerifiedRun(run, tour: tour, identity: identity)
            feed(session, verified.map { .verified(link, $0) } ?? .refused(link, author: run.author))
            return
        }
        noteBacklog(session, change: run.events.count)
        session.verifying += 1
        verifier.submit { [self] in
            let verified = try? VerifiedRun(run, tour: tour, identity: identity)
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    session.verifying -= 1
                    node.noteBacklog(session, change: -run.events.count)
                    node.feed(session, verified.map { .verified(link, $0) } ?? .refused(link, author: run.author))
                }
            }
        }
    }

    /// One signature and so many hashes take less time than waking another thread and being woken.
    private static let eventsVerifiedAtOnceMax = 4

    private func store(_ run: VerifiedRun, _ session: TourSession) {
        let tour = session.tour
        let news = run.events
        let controls = session.group.add(verified: news)
        if !controls.isEmpty { controlsAdded(controls, session) }
        let wall = NodeClock.wallMilliseconds
        if let last = news.last { session.author.witness(last.header.clock, wallMilliseconds: wall) }
        noteBacklog(session, change: news.count)
        writer.submit(
            StoreWriter.Job(tour: tour, events: news.map { ($0, run.hops) }, isDurable: false) { [weak self] result in
                self?.assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    node.noteBacklog(session, change: -news.count)
                    switch result {
                    case .success(let events): node.stored(events, session)
                    case .failure(let error): node.storeFailed(error, session)
                    }
                }
            })
    }

    /// Events are in the store: they may be announced and shown.
    func stored(_ arrived: [ArrivedEvent], _ session: TourSession) {
        var heads = [MemberID: UInt64]()
        for event in arrived.lazy.map(\.stored.event) {
            heads[event.header.author] = event.header.sequence
            if event.header.eventClass == .profile {
                session.decorate(event)
                noteWithdrawal(event, session)
            }
        }
        if let own = arrived.last(where: { $0.stored.event.header.author == session.own })?.stored.event,
            own.header.sequence > session.author.tail.sequence
        {
            // A peer gave back what we wrote before our store was restored: the log goes on behind it.
            session.durableTail = Author.Tail(sequence: own.header.sequence, id: own.id)
            session.author.rewind(to: session.durableTail)
        }
        session.isBoardStale = true
        feed(session, .stored(heads))
        tell(followersOf: session.tour, arrived)
    }

    /// Others' events could not be stored: links go down and the replication starts again from what is on the disk.
    private func storeFailed(_ error: StoreError, _ session: TourSession) {
        count(error)
        logger.error("storing received messages failed", metadata: ["error": "\(error)"])
        for connection in session.connections.values { connection.close(saying: .closing) }
        session.storePausedUntil = NodeClock.now + Self.storePause
        guard let heads = try? store.heads(session.tour) else { return }
        session.gossip.restart(heads: heads.mapValues { (sequence: $0.sequence, id: $0.id) })
    }

    /// A full disk is not tried again with every redial.
    private static let storePause: Duration = .seconds(5)

    /// Peers wait when the store is behind; memory does not grow.
    private func noteBacklog(_ session: TourSession, change: Int) {
        session.unstored += change
        let isFull = session.unstored > Limits.unstoredEventsMax
        let isLow = session.unstored < Limits.unstoredEventsMax / 2
        guard isFull || isLow else { return }
        for connection in session.connections.values { connection.setReading(!isFull) }
    }

    private func load(
        _ link: LinkID, _ id: UInt32, _ range: Want.Range, _ bytesMax: Int, _ session: TourSession
    ) {
        let tour = session.tour
        reader.submit { [self, store] in
            let events =
                (try? store.events(
                    tour, author: range.author, from: range.first, through: range.last, bytesMax: bytesMax)) ?? []
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    node.feed(session, .loaded(link, id: id, events))
                }
            }
        }
    }

    private func verify(_ rows: [ClaimRow], _ link: LinkID, _ session: TourSession) {
        let tour = session.tour
        let members = session.group.roster.members
        noteBacklog(session, change: rows.count)
        verifier.submit { [self] in
            let claims = rows.compactMap { row -> VerifiedClaim? in
                guard let claim = try? FrontierClaim(decoding: row.row), let member = members[claim.member],
                    member.identity.verifies(row.signature, of: Self.claimDigest(row.row, tour: tour))
                else { return nil }
                var passed = row
                passed.hops += 1
                return VerifiedClaim(claim: claim, row: passed)
            }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    node.noteBacklog(session, change: -rows.count)
                    for _ in claims.count..<rows.count { node.count(VerificationFault.badSignature) }
                    node.feed(session, .claims(link, claims))
                    if claims.count < rows.count {
                        node.feed(session, .forgedClaims(link, count: rows.count - claims.count))
                    }
                }
            }
        }
    }

    private func signClaim(_ frontier: Frontier, _ session: TourSession) {
        // The counter is the wall clock in microseconds, and never falls behind what we signed before.
        let counter = max(UInt64(clamping: NodeClock.wallMicroseconds), session.claimCounter + 1)
        session.claimCounter = counter
        let heads = frontier.heads
            .sorted { $0.key < $1.key }
            .prefix(Limits.headsPerMessageMax)
            .map { PrefixedHead(prefix: $0.key.prefix, sequence: $0.value) }
        let claim = FrontierClaim(member: session.own, counter: counter, heads: heads)
        let row = claim.encode()
        let signature = session.keys.identity.sign(Self.claimDigest(row, tour: session.tour))
        let signed = VerifiedClaim(claim: claim, row: ClaimRow(row: row, signature: signature, hops: 0))
        // Kept for the counter alone: a node without a clock of its own may start with an earlier time.
        session.unsavedClaims[session.own] = signed
        feed(session, .claim(signed))
    }

    private func claimed(_ claim: VerifiedClaim, _ session: TourSession) {
        session.lastSeen[claim.claim.member] = (NodeClock.now, NodeClock.wallMicroseconds, claim.row.hops)
        session.board.note(claim.claim) { session.gossip.knows(prefix: $0) }
        session.unsavedClaims[claim.claim.member] = claim
        session.isBoardStale = true
        scheduleBoard(session)
    }

    /// H("frontier", tour id, row): what a claim's signature covers.
    private nonisolated static func claimDigest(_ row: [UInt8], tour: TourID) -> [UInt8] {
        Hash.of(.frontier, tour.bytes, row).bytes
    }

    // Statuses follow claims a moment later, all together: one pass for many claims, and a pause between two passes.
    private func scheduleBoard(_ session: TourSession) {
        guard !session.isBoardScheduled else { return }
        session.isBoardScheduled = true
        let tour = session.tour
        let now = NodeClock.now
        let due = max(now + Self.boardDelay, session.boardRefreshedAt.map { $0 + Self.boardPause } ?? now)
        loop.scheduleTask(in: .microseconds((due - now).microseconds)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.isBoardScheduled = false
                session.boardRefreshedAt = NodeClock.now
                node.refreshBoard(of: session)
            }
        }
    }

    private static let boardDelay: Duration = .milliseconds(50)
    private static let boardPause: Duration = .milliseconds(500)

    func refreshBoard(of session: TourSession) {
        guard session.isBoardStale else { return }
        session.isBoardStale = false
        let store = store
        let tour = session.tour
        let roster = session.group.roster
        let changes = session.board.refresh(
            authors: session.gossip.stored.heads, members: roster.active.map(\.id), own: session.own
        ) { author, member, above in
            guard let admittedAt = roster.members[member]?.admittedAt else { return nil }
            return try? store.firstSequence(tour, author: author, above: above, clockAtLeast: admittedAt)
        }
        guard !changes.isEmpty else { return }
        let marks = changes.map(\.mark)
        reader.submit { [self] in
            // A mark that is not kept is worked out again after a restart.
            let kept = Result { () throws(StoreError) in try store.raiseWatermarks(tour, marks) }
            return { [self] in
                if case .failure(let error) = kept { assumeIsolated { $0.count(error) } }
            }
        }
        for change in changes { noteChange(change.mark.author, change.range, session) }
    }

    /// Claims are kept over a restart, so that "delivered" need not be heard anew from everybody.
    func saveClaims(of session: TourSession) {
        let rows = session.unsavedClaims.values.map {
            FrontierRecord(
                member: $0.claim.member, counter: $0.claim.counter, bytes: $0.row.row, signature: $0.row.signature)
        }
        session.unsavedClaims = [:]
        guard !rows.isEmpty else { return }
        do { try store.saveFrontierRows(session.tour, rows) } catch { count(error) }
    }
}
