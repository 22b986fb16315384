import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Carrying out the effects of a tour's machine.
extension TourNode {
    /// Hands the tour's machine an input. If its effects are being carried out, the input waits until that is done.
    func feed(_ session: TourSession, _ input: TourInput) {
        session.runner.feed(input, in: LiveEnvironment(node: self, session: session))
    }

    /// An input for the replication alone.
    func feed(_ session: TourSession, _ input: GossipMachine.Input) { feed(session, .replication(input)) }

    /// Does work that belongs to a tour, in its order among the inputs.
    func perform(in session: TourSession, _ work: @escaping () -> Void) {
        session.runner.perform(in: LiveEnvironment(node: self, session: session), work)
    }

    func carryOut(_ effect: TourEffect, _ session: TourSession) {
        switch effect {
        case .close(let link, let reason): session.connections[link]?.close(saying: reason)
        case .setReading(let link, let isReading): session.connections[link]?.setReading(isReading)
        case .recognise(let link, let member):
            session.connections[link]?.peer?.kind = .member(member)
            session.connections[link]?.recognise()
        case .began(let link): beginFiles(on: link, session)
        case .multicast(let segment, let datagram): multicast(datagram, on: segment, session)
        case .unicast(let link, let datagram): unicast(datagram, on: link)
        case .livesElsewhere(let link, let quietMax):
            session.connections[link]?.recordLifeElsewhere(at: NodeClock.now, quietMax: quietMax)
        case .verify(let check): verify(check, session)
        case .verifyClaims(let check): verify(check, session)
        case .verifyPositions(let check): verify(check, session)
        case .compare(let question): answer(question, session)
        case .store(let run): store(run, session)
        case .storeAhead(let run): storeAhead(run, session)
        case .reload: reload(session)
        case .load(let link, let id, let range, let bytesMax): load(link, id, range, bytesMax, session)
        case .loadUrgent(let link, let ranges): loadUrgent(link, ranges, session)
        case .keepControls(let events, let dropped): keep(events, without: dropped, of: session.tour)
        case .loadActs(let authors): loadActs(of: authors, session)
        case .saveKeys(let isErasing): saveKeys(of: session, isErasing: isErasing)
        case .saveOwnLog(let state): ownLogChanged(state, session)
        case .rekey: Task { await self.rekey(session.tour) }
        case .publishWrappingKey: Task { await self.publishWrappingKey(in: session.tour) }
        case .makeInvite: Task { await self.makeOwedInvite(in: session) }
        case .writeFork(let proof, let author): Task { await self.write(proof, of: author, in: session) }
        case .rosterChanged(let events): rosterChanged(events, session)
        case .keysLearnt(let epochs): learnt(epochs, session)
        case .recognised: session.joiners.endStandingWaits()
        case .claimed(let claim): session.unsavedClaims.insert(claim.claim.member)
        case .refreshStatuses: refreshStatuses(of: session)
        case .signed:
            // Saved for the counter too: a node without a clock of its own may start with an earlier time.
            session.unsavedClaims.insert(session.own)
        case .positioned(let position): session.sharing.record(position.claim, own: session.own)
        case .twin: notifyOfTwin(in: session)
        case .fault(let fault): count(fault)
        // The runner does these.
        case .send, .sendOwed: break
        }
    }

    // MARK: - Verifying

    private func verify(_ check: RunCheck, _ session: TourSession) {
        guard !check.isPrompt else { return feed(session, .checked(check, check.verified())) }
        verify(in: session) {
            let run = check.verified()
            return { .checked(check, run) }
        }
    }

    private func verify(_ check: ClaimCheck, _ session: TourSession) {
        guard !check.isPrompt else { return feed(session, .checkedClaims(check, check.verified())) }
        verify(in: session) {
            let claims = check.verified()
            return { .checkedClaims(check, claims) }
        }
    }

    private func verify(_ check: PositionCheck, _ session: TourSession) {
        verify(in: session) {
            let rows = check.verified()
            return { .checkedPositions(check, rows) }
        }
    }

    /// Works off the loop, and hands the result to the machine of the tour as it is then.
    private func verify(
        in session: TourSession, _ work: @escaping @Sendable () -> @Sendable () -> TourInput
    ) {
        let tour = session.tour
        verifier.submit { [self] in
            let result = work()
            return { [self] in
                assumeIsolated { node in
                    if let session = node.sessions[tour] { node.feed(session, result()) }
                }
            }
        }
    }

    /// Reads the stored events at the places of a log that may fork, off the loop.
    private func answer(_ question: ForkQuestion, _ session: TourSession) {
        let tour = session.tour
        reader.submit { [self, store] in
            let known: [Event] =
                switch question.known {
                case .events(let events): events
                case .stored(let places):
                    (try? store.events(
                        tour, author: question.author, from: places.lowerBound, through: places.upperBound,
                        bytesMax: Limits.pullBytesMax)) ?? []
                }
            let proof = question.proof(from: known)
            return { [self] in
                guard let proof else { return }
                assumeIsolated { node in
                    if let session = node.sessions[tour] {
                        node.feed(session, .forkFound(proof, of: question.author))
                    }
                }
            }
        }
    }

    private func write(_ proof: ForkProof, of author: MemberID, in session: TourSession) async {
        do { try await write(control: .fork(proof), in: session) } catch {
            feed(session, .forkNotWritten(author))
        }
    }

    // MARK: - Reading

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

    private func loadActs(of authors: Set<MemberID>, _ session: TourSession) {
        let tour = session.tour
        reader.submit { [self, store] in
            let events = Result { () throws(StoreError) in try store.controlEvents(tour, of: authors) }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    switch events {
                    case .success(let events): node.feed(session, .controls(events))
                    case .failure(let error): node.count(error)
                    }
                }
            }
        }
    }

    private func keep(_ events: [Event], without dropped: Set<EventID>, of tour: TourID) {
        let rows = events.map { (id: $0.id, bytes: $0.bytes) }
        if !dropped.isEmpty {
            writeBeside { store throws(StoreError) in try store.removeControlEvents(tour, dropped) }
        }
        // If storing fails, the next link sends them again.
        writeBeside { store throws(StoreError) in try store.addControlEvents(tour, rows, durable: false) }
    }
}
