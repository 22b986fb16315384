import NIOCore
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport
import TourWire

// Control events ahead of the logs: comparing, applying and passing them to others. Source:
// `Protocol/06-replication.md`, "Control first".
extension TourNode {
    /// Sends the peer an index of our control events, at most once a second: it sends those that we lack. From a peer
    /// that may not learn of them we request all that it has.
    func compareControls(on link: LinkID, _ session: TourSession) {
        let now = NodeClock.now
        if let last = session.lastCompared[link], now - last < .seconds(1) { return }
        session.lastCompared[link] = now
        guard let connection = session.connections[link], let peer = connection.peer else { return }
        connection.send(.controlIndex(session.maySendControls(to: peer) ? session.group.controlIndex : []))
    }

    func answer(_ index: [EventName], on connection: LinkConnection, _ session: TourSession) {
        guard let peer = connection.peer, session.maySendControls(to: peer) else {
            connections[ObjectIdentifier(connection)]?.heldBack = index
            return
        }
        guard answersIndex(on: connection) else { return }
        let missing = controls(of: session, missingFrom: index)
        send(Self.batches(of: missing).map { .control($0) }, inPartsOn: connection)
    }

    /// The roster includes the peer now: answers the index that it sent before.
    func answerHeldBack(on connection: LinkConnection, _ session: TourSession) {
        guard let index = connections[ObjectIdentifier(connection)]?.heldBack else { return }
        connections[ObjectIdentifier(connection)]?.heldBack = nil
        answer(index, on: connection, session)
    }

    /// - Parameter source: nil: a server sent them, followed by the runs that need them, so they are applied at once.
    func receive(controls events: [[UInt8]], from source: LinkID?, _ session: TourSession) {
        session.intake.add(events, from: source)
        guard let source else { return applyAll(session) }
        if session.intake.isFull(of: source) { session.connections[source]?.setReading(false) }
        applyWaiting(session)
    }

    /// Applies the control events of a run. They belong to a log, which keeps them and spreads them.
    func apply(verified events: [Event], _ session: TourSession) {
        let controls = events.filter { $0.header.eventClass == .control }
        guard !controls.isEmpty else { return }
        session.intake.add(verified: controls)
        applyWaiting(session)
    }

    /// Applies what waits, or sets a timer to do so.
    private func applyWaiting(_ session: TourSession) {
        guard !session.intake.isScheduled else { return }
        let pause = session.intake.pause(at: NodeClock.now)
        guard pause > .zero else { return apply(session.intake.dequeueTurn(), session) }
        session.intake.isScheduled = true
        let tour = session.tour
        loop.scheduleTask(in: TimeAmount(pause)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.intake.isScheduled = false
                node.apply(session.intake.dequeueTurn(), session)
            }
        }
    }

    /// Applies everything that waits, now.
    func applyAll(_ session: TourSession) { apply(session.intake.drain(), session) }

    private func apply(_ batch: ControlIntake.Batch, _ session: TourSession) {
        let start = NodeClock.now
        defer { if !session.intake.isEmpty { applyWaiting(session) } }
        for source in batch.sources where !session.isHoldingBack && !session.intake.isFull(of: source) {
            session.connections[source]?.setReading(true)
        }
        let added = session.group.add(verified: batch.verified, controls: batch.controls)
        let dropped = session.group.drainDropped()
        readMissingActs(of: session)
        guard !added.isEmpty || !dropped.isEmpty else { return session.intake.worked(from: start, to: NodeClock.now) }
        let logged = Set(batch.verified.map(\.id))
        let news = added.filter { !logged.contains($0.id) }
        keep(news, without: dropped, of: session.tour)
        controlsAdded(added, session)
        compare(controls: news, session)
        // News of the roster goes ahead of the logs, so that others can accept what the new members write.
        for (link, connection) in session.connections {
            guard let peer = connection.peer, session.maySendControls(to: peer) else { continue }
            let told = batch.events(sentBy: link)
            send(news: news.filter { !told.contains($0.bytes) }.map(\.id), inPartsOn: connection)
        }
        session.intake.worked(from: start, to: NodeClock.now)
    }

    /// Acts of authors whose rank was unknown here when the acts arrived, and that were not kept: reads them from the
    /// logs, off the loop.
    private func readMissingActs(of session: TourSession) {
        let (tour, authors) = (session.tour, session.group.drainMissingActs())
        guard !authors.isEmpty else { return }
        reader.submit { [self] in
            let events = Result { () throws(StoreError) in try store.controlEvents(tour, of: authors) }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    switch events {
                    case .success(let events): node.receive(controls: events, from: nil, session)
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

    /// Control events, cut into messages that a link can carry.
    static func batches(of events: [[UInt8]]) -> [[[UInt8]]] {
        var batches = [[[UInt8]]]()
        var bytes = 0
        for event in events {
            if batches.isEmpty || bytes + event.count > Limits.linkMessageBytesMax / 2 {
                batches.append([])
                bytes = 0
            }
            batches[batches.count - 1].append(event)
            bytes += event.count
        }
        return batches
    }
}
