import NIOCore
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport
import TourWire

// Control events ahead of the logs: compared, taken and told on. Source: `Protocol/06-replication.md`, "Control first".
extension TourNode {
    /// Tells the peer which control events we hold, at most once a second: it sends what we lack. Who is not to hear of
    /// them is asked for all that it has.
    func compareControls(on link: LinkID, _ session: TourSession) {
        let now = NodeClock.now
        if let last = session.lastCompared[link], now - last < .seconds(1) { return }
        session.lastCompared[link] = now
        guard let connection = session.connections[link], let peer = connection.peer else { return }
        connection.send(.controlIndex(session.tells(peer) ? session.group.controlIndex : []))
    }

    func answer(_ index: [EventName], on connection: LinkConnection, _ session: TourSession) {
        guard let peer = connection.peer, session.tells(peer) else {
            connections[ObjectIdentifier(connection)]?.heldBack = index
            return
        }
        guard answersIndex(on: connection) else { return }
        let missing = controls(of: session, missingFrom: index)
        send(Self.batches(of: missing).map { .control($0) }, inPartsOn: connection)
    }

    /// The roster names the peer now: what it asked for before is answered.
    func answerHeldBack(on connection: LinkConnection, _ session: TourSession) {
        guard let index = connections[ObjectIdentifier(connection)]?.heldBack else { return }
        connections[ObjectIdentifier(connection)]?.heldBack = nil
        answer(index, on: connection, session)
    }

    /// - Parameter source: nil: a server gave them, with the runs that need them behind, and they are taken at once.
    func take(controls events: [[UInt8]], from source: LinkID?, _ session: TourSession) {
        session.intake.add(events, from: source)
        guard let source else { return takeAll(session) }
        if session.intake.isFull(of: source) { session.connections[source]?.setReading(false) }
        takeWaiting(session)
    }

    /// Takes the control events of a run. They are in a log: the log keeps them and goes to others.
    func take(verified events: [Event], _ session: TourSession) {
        let controls = events.filter { $0.header.eventClass == .control }
        guard !controls.isEmpty else { return }
        session.intake.add(verified: controls)
        takeWaiting(session)
    }

    /// Takes what waits, or does so when it is time.
    private func takeWaiting(_ session: TourSession) {
        guard !session.intake.isScheduled else { return }
        let pause = session.intake.pause(at: NodeClock.now)
        guard pause > .zero else { return take(session.intake.takeTurn(), session) }
        session.intake.isScheduled = true
        let tour = session.tour
        loop.scheduleTask(in: TimeAmount(pause)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.intake.isScheduled = false
                node.take(session.intake.takeTurn(), session)
            }
        }
    }

    /// Takes all that waits now.
    func takeAll(_ session: TourSession) { take(session.intake.take(), session) }

    private func take(_ batch: ControlIntake.Batch, _ session: TourSession) {
        let start = NodeClock.now
        defer { if !session.intake.isEmpty { takeWaiting(session) } }
        for source in batch.sources where !session.isHoldingBack && !session.intake.isFull(of: source) {
            session.connections[source]?.setReading(true)
        }
        let added = session.group.add(verified: batch.verified, controls: batch.controls)
        let dropped = session.group.takeDropped()
        readMissingActs(of: session)
        guard !added.isEmpty || !dropped.isEmpty else { return session.intake.worked(from: start, to: NodeClock.now) }
        let logged = Set(batch.verified.map(\.id))
        let news = added.filter { !logged.contains($0.id) }
        keep(news, without: dropped, of: session.tour)
        controlsAdded(added, session)
        compare(controls: news, session)
        // News of the roster goes ahead of the logs: others can take what the new members write.
        for (link, connection) in session.connections {
            guard let peer = connection.peer, session.tells(peer) else { continue }
            let told = batch.told(by: link)
            tell(news.filter { !told.contains($0.bytes) }.map(\.id), inPartsOn: connection)
        }
        session.intake.worked(from: start, to: NodeClock.now)
    }

    /// What authors did before their rank was known here, and did not wait: it is read from their logs, beside the
    /// loop.
    private func readMissingActs(of session: TourSession) {
        let (tour, authors) = (session.tour, session.group.takeMissingActs())
        guard !authors.isEmpty else { return }
        reader.submit { [self] in
            let events = Result { () throws(StoreError) in try store.controlEvents(tour, of: authors) }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    switch events {
                    case .success(let events): node.take(controls: events, from: nil, session)
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
        // What is not kept comes again from the next link.
        writeBeside { store throws(StoreError) in try store.addControlEvents(tour, rows, durable: false) }
    }

    /// Control events cut into messages that a link carries.
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
