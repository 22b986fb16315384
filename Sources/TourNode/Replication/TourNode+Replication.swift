import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport
import TourWire

// Feeding a tour's replication machine, and carrying out its outputs.
extension TourNode {
    func feed(_ session: TourSession, _ input: GossipMachine.Input) {
        var outputs = [GossipMachine.Output]()
        session.gossip.handle(input, now: NodeClock.now, using: &rng, into: &outputs)
        // Carrying out an output may feed the machine again: only the outermost call schedules the next deadline.
        session.feeding += 1
        for output in outputs { carryOut(output, session) }
        session.feeding -= 1
        if session.feeding == 0 { schedule(session) }
    }

    private func carryOut(_ output: GossipMachine.Output, _ session: TourSession) {
        switch output {
        case .send(let link, let message): session.connections[link]?.send(message)
        case .multicast(let segment, let datagram): multicast(datagram, on: segment, session)
        case .unicast(let link, let datagram): unicast(datagram, on: link)
        case .verify(let origin, let run): verify(run, origin, session)
        case .store(let run): store(run, session)
        case .storeAhead(let run): storeAhead(run, session)
        case .load(let link, let id, let range, let bytesMax): load(link, id, range, bytesMax, session)
        case .loadUrgent(let link, let ranges): loadUrgent(link, ranges, session)
        case .verifyClaims(let origin, let heard): verify(heard, origin, session)
        case .signClaim(let heads, let whole, let readThrough):
            signClaim(heads, whole, readThrough: readThrough, session)
        case .claimed(let claim, let origin, let isNewest): claimed(claim, origin, isNewest: isNewest, session)
        case .ownCounter(let counter): recordOwnCounter(counter, session)
        case .verifyPositions(let origin, let heard): verify(heard, origin, session)
        case .positioned(let position): positioned(position, session)
        case .compareControls(let link): compareControls(on: link, session)
        case .compare(let run): compare(run, session)
        case .ownLog(let state): ownLogChanged(state, session)
        case .fault(_, let fault): count(fault)
        }
    }

    private func verify(_ run: Run, _ origin: Origin, _ session: TourSession) {
        let tour = session.tour
        // A server sends its answer once, and the events that introduce the author may still wait in the intake.
        if origin == .mailbox, session.group.roster.members[run.author] == nil { applyAll(session) }
        guard let author = session.group.roster.members[run.author] else {
            feed(session, .skipped(origin, author: run.author))
            return
        }
        let identity = author.identity
        // An urgent event does not wait for the runs being verified off the loop.
        let isUrgent = session.gossip.mayGoAhead(run, NodeClock.now)
        if isUrgent || session.verifying == 0 && run.events.count <= Self.eventsVerifiedAtOnceMax {
            let verified = try? VerifiedRun(run, tour: tour, identity: identity)
            feed(session, verified.map { .verified(origin, $0) } ?? .refused(origin, author: run.author))
            return
        }
        let weight = Self.weight(run.events.count, bytes: run.byteCount)
        updateBacklog(session, change: weight)
        session.verifying += 1
        verifier.submit { [self] in
            let verified = try? VerifiedRun(run, tour: tour, identity: identity)
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    session.verifying -= 1
                    node.updateBacklog(session, change: -weight)
                    node.feed(session, verified.map { .verified(origin, $0) } ?? .refused(origin, author: run.author))
                }
            }
        }
    }

    /// Verifying one signature and this many hashes takes less time than waking another thread and being woken by it.
    private static let eventsVerifiedAtOnceMax = 4

    private func store(_ run: VerifiedRun, _ session: TourSession) {
        let tour = session.tour
        let news = run.events
        apply(verified: news, session)
        let wall = session.wallMilliseconds
        for event in news { session.author.witness(event.header.clock, wallMilliseconds: wall) }
        let weight = Self.weight(news.count, bytes: news.reduce(0) { $0 + $1.bytes.count })
        updateBacklog(session, change: weight)
        writer.submit(
            StoreWriter.Job(tour: tour, events: news.map { ($0, run.hops) }, isDurable: false) { [weak self] result in
                self?.assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    node.updateBacklog(session, change: -weight)
                    switch result {
                    case .success(let events): node.stored(events, session)
                    case .failure(let error): node.storeFailed(error, session)
                    }
                }
            })
    }

    /// An urgent event whose predecessors are missing: stores and shows it. No frontier counts it, so the machine
    /// does not learn of it.
    private func storeAhead(_ run: VerifiedRun, _ session: TourSession) {
        let tour = session.tour
        let wall = session.wallMilliseconds
        for event in run.events { session.author.witness(event.header.clock, wallMilliseconds: wall) }
        updateBacklog(session, change: 1)
        let job = StoreWriter.Job(
            tour: tour, events: run.events.map { ($0, run.hops) }, isDurable: false, isAhead: true
        ) { [weak self] result in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                node.updateBacklog(session, change: -1)
                switch result {
                case .success(let arrived):
                    node.recordUnreadable(arrived, session)
                    node.holdReading(arrived, session)
                    node.recordAnnounced(arrived.lazy.map(\.stored.event), session)
                    node.learnFiles(from: arrived.lazy.map(\.stored.event), session)
                    node.notify(followersOf: tour, arrived)
                case .failure(let error): node.storeFailed(error, session)
                }
            }
        }
        writer.submit(job)
    }

    /// From this number on, arrivals were missed and others have had them for long: they are shown with their status at
    /// once, not first without and then again.
    private static let batchSeenAtOnceMin = 16

    /// Events are in the store: they may be announced and shown.
    func stored(_ arrived: [ArrivedEvent], _ session: TourSession) {
        var heads = [MemberID: UInt64]()
        let name = session.record.name
        for event in arrived.lazy.map(\.stored.event) {
            heads[event.header.author] = event.header.sequence
            if event.header.eventClass == .profile {
                session.decorate(event)
                notifyOfWithdrawal(event, session)
            }
        }
        if let own = arrived.last(where: { $0.stored.event.header.author == session.own })?.stored.event,
            own.header.sequence > session.durableTail.sequence
        {
            // A peer sent back an event that we wrote before our store was restored: our log continues after it. An
            // event that is being written meanwhile has another predecessor, and fails.
            session.durableTail = Author.Tail(sequence: own.header.sequence, id: own.id)
            if session.ownJobs == 0 { session.author.adopt(own) } else { session.isPoisoned = true }
        }
        recordUnreadable(arrived, session)
        holdReading(arrived, session)
        recordAnnounced(arrived.lazy.map(\.stored.event), session)
        learnFiles(from: arrived.lazy.map(\.stored.event), session)
        session.isBoardStale = true
        feed(session, .stored(heads))
        compare(stored: arrived.map(\.stored.event), session)
        // If this fails, the next start finds the name again.
        if session.record.name != name { try? save(session) }
        session.reviewNameWait()
        if arrived.count >= Self.batchSeenAtOnceMin { refreshBoard(of: session, batch: arrived, heads) }
        // Followers got these events ahead of their log; their status may have changed.
        for early in arrived where early.wasAhead && session.board.status(of: early.stored.event) != .sent {
            let header = early.stored.event.header
            notifyOfChange(header.author, header.sequence...header.sequence, session)
        }
        let news = arrived.contains(where: \.wasAhead) ? arrived.filter { !$0.wasAhead } : arrived
        notify(followersOf: session.tour, news)
    }

    /// Events of others could not be stored: closes the links and restarts the replication from the store.
    private func storeFailed(_ error: StoreError, _ session: TourSession) {
        count(error)
        logger.error("storing received messages failed", metadata: ["error": "\(error)"])
        for connection in session.connections.values { connection.close(saying: .closing) }
        session.storePausedUntil = NodeClock.now + Self.storePause
        guard let heads = try? store.heads(session.tour), let ahead = try? store.aheadEvents(session.tour) else {
            return
        }
        session.gossip.restart(
            heads: heads.mapValues { (sequence: $0.sequence, id: $0.id) }, sizes: heads.mapValues(\.size), ahead: ahead)
    }

    /// A full disk is not tried again at every redial.
    private static let storePause: Duration = .seconds(5)

    /// The backlog is counted in events, with a large event counted as several: so it is bounded in bytes as well.
    private static func weight(_ count: Int, bytes: Int) -> Int { max(count, bytes / Limits.unstoredEventBytes) }

    /// Stops reading from links while the store is behind, so that memory does not grow.
    func updateBacklog(_ session: TourSession, change: Int) {
        session.unstored += change
        let bound = session.isHoldingBack ? Limits.unstoredEventsMax / 2 : Limits.unstoredEventsMax
        let isFull = session.unstored > bound
        guard isFull != session.isHoldingBack else { return }
        session.isHoldingBack = isFull
        for connection in session.connections.values { connection.setReading(!isFull) }
    }

    private func loadUrgent(_ link: LinkID, _ ranges: [Want.Range], _ session: TourSession) {
        let tour = session.tour
        reader.submit { [self, store] in
            let found = ranges.flatMap { range in
                (try? store.urgentEvents(
                    tour, author: range.author, from: range.first, through: range.last,
                    limit: Limits.urgentBeforePullMax)) ?? []
            }
            let newest = found.sorted { Event.precedes($1.event, $0.event) }
                .prefix(Limits.urgentBeforePullMax).map { (event: $0.event, hops: $0.hops) }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour], !newest.isEmpty else { return }
                    node.feed(session, .urgent(link, newest))
                }
            }
        }
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
}
