import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Storing what arrives, and showing what is stored.
extension TourNode {
    func store(_ run: VerifiedRun, _ session: TourSession) {
        submit(run, isAhead: false, session) { node, arrived, session in node.stored(arrived, session) }
    }

    /// An urgent event whose predecessors are missing: stores and shows it. No frontier counts it, so the replication
    /// does not learn of it.
    func storeAhead(_ run: VerifiedRun, _ session: TourSession) {
        submit(run, isAhead: true, session) { node, arrived, session in
            node.show(arrived, session)
            node.notify(followersOf: session.tour, arrived)
        }
    }

    private func submit(
        _ run: VerifiedRun, isAhead: Bool, _ session: TourSession,
        _ show: @escaping @Sendable (isolated TourNode, [ArrivedEvent], TourSession) -> Void
    ) {
        let tour = session.tour
        let job = StoreWriter.Job(
            tour: tour, events: run.events.map { ($0, run.hops) }, isDurable: isGuests(run), isAhead: isAhead
        ) { [weak self] result in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                switch result {
                case .success(let arrived):
                    // What is shown depends on what the machine knows then.
                    let events = arrived.map(\.stored.event)
                    node.feed(session, isAhead ? .storedAhead(run) : .stored(run, events: events))
                    node.perform(in: session) { show(node, arrived, session) }
                case .failure(let error): node.storeFailed(error, run, isAhead: isAhead, session)
                }
            }
        }
        writer.submit(job)
    }

    /// From this number on, arrivals were missed and others have had them for long: they are shown with their status at
    /// once, not first without and then again.
    private static let batchSeenAtOnceMin = 16

    /// Events are in the store, and the machine has counted them: they are shown.
    private func stored(_ arrived: [ArrivedEvent], _ session: TourSession) {
        let name = session.record.name
        for event in arrived.lazy.map(\.stored.event) where event.header.eventClass == .profile {
            session.decorate(event)
            notifyOfWithdrawal(event, session)
        }
        show(arrived, session)
        recordStored(arrived, in: session.tour)
        // If this fails, the next start finds the name again.
        if session.record.name != name { try? save(session) }
        session.reviewNameWait()
        if arrived.count >= Self.batchSeenAtOnceMin { refreshStatuses(of: session, batch: arrived) }
        // Followers got these events ahead of their log; their status may have changed.
        for early in arrived
        where early.wasAhead && session.machine.receipts.state.status(of: early.stored.event) != .sent {
            let header = early.stored.event.header
            notifyOfChange(header.author, header.sequence...header.sequence, session)
        }
        let news = arrived.contains(where: \.wasAhead) ? arrived.filter { !$0.wasAhead } : arrived
        notify(followersOf: session.tour, news)
    }

    private func show(_ arrived: [ArrivedEvent], _ session: TourSession) {
        holdReading(arrived, session)
        recordAnnounced(arrived.lazy.map(\.stored.event), session)
        markWithheld(arrived, session)
        session.files.add(from: arrived.lazy.map(\.stored.event))
        notifyOfRival(arrived.lazy.map(\.stored.event), session)
        notifyOfEarlierRoll(arrived.lazy.map(\.stored.event), session)
    }

    /// Events of others could not be stored.
    private func storeFailed(_ error: StoreError, _ run: VerifiedRun, isAhead: Bool, _ session: TourSession) {
        count(error)
        logger.error("storing received messages failed", metadata: ["error": "\(error)"])
        feed(session, .storeFailed(run, isAhead: isAhead))
    }

    /// The replication starts again from what the store holds.
    func reload(_ session: TourSession) {
        guard let heads = try? store.heads(session.tour), let ahead = try? store.aheadEvents(session.tour) else {
            return
        }
        let logs = StoredLogs(
            heads: heads.mapValues { (sequence: $0.sequence, id: $0.id) }, sizes: heads.mapValues(\.size), ahead: ahead)
        feed(session, .reloaded(logs))
    }

    /// Whether a guest of this node waits for this run to be on the disk.
    func isGuests(_ run: VerifiedRun) -> Bool {
        run.events.first.map { event in seats.assumeIsolated { $0.writes(for: event.header.author) } } ?? false
    }

    func recordStored(_ arrived: [ArrivedEvent], in tour: TourID) {
        seats.assumeIsolated { $0.stored(arrived.map(\.stored.event), in: tour) }
    }

    func recordProgrammeChange(in tour: TourID) { seats.assumeIsolated { $0.programmeChanged(in: tour) } }
}
