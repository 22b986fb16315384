import NIOCore
import TourBlob
import TourCrypto
import TourGossip
import TourModel
import TourStore
import TourTransport
import TourWire

// Feeding the machines of casts, and carrying out their outputs. Source: `Protocol/11-blobs.md`, "Multicast session".
extension TourNode {
    /// How often the swarm learns that a cast continues.
    private static let castNewsInterval: Duration = .milliseconds(100)
    /// Too short for people to notice, and short against every timer of a cast.
    static let castGatherTime: TimeAmount = .milliseconds(2)

    func feed(_ session: TourSession, cast input: CastReceiver.Input, on id: SegmentID) {
        guard let segment = session.casts.segments[id] else { return }
        var outputs = [CastReceiver.Output]()
        let now = NodeClock.now
        segment.receiver.handle(input, now: now, using: &rng, into: &outputs)
        for output in outputs { carryOut(output, session, segment, id, now) }
        for (blob, toldAt) in segment.followed where now - toldAt >= Self.castNewsInterval {
            segment.followed[blob] = now
            notifySwarm(of: blob, session, now)
        }
        scheduleCasts(of: session, on: id)
    }

    func feed(_ session: TourSession, ownCast input: CastSender.Input, on id: SegmentID) {
        guard let segment = session.casts.segments[id] else { return }
        var outputs = [CastSender.Output]()
        segment.sender.handle(input, now: NodeClock.now, into: &outputs)
        for output in outputs { carryOut(output, session, segment, id) }
        scheduleCasts(of: session, on: id)
    }

    private func scheduleCasts(of session: TourSession, on id: SegmentID) {
        // Carrying out an output may have removed the segment.
        guard let segment = session.casts.segments[id] else { return }
        guard let deadline = segment.nextDeadline, !isStopping else { return segment.endTimer() }
        if let timer = segment.timer, timer.deadline <= deadline { return }
        let delay = max(0, (deadline - NodeClock.now).microseconds)
        let tour = session.tour
        let task = loop.scheduleTask(in: .microseconds(delay)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.casts.segments[id]?.endTimer()
                node.feed(session, cast: .timer, on: id)
                node.feed(session, ownCast: .timer, on: id)
            }
        }
        segment.setTimer(deadline, task)
    }

    // MARK: - Receiving

    private func carryOut(
        _ output: CastReceiver.Output, _ session: TourSession, _ segment: CastSegment, _ id: SegmentID, _ now: Instant
    ) {
        switch output {
        case .began(let blob, _):
            segment.followed[blob] = now
            notifySwarm(of: blob, session, now)
        case .chunk(let blob, let chunk, let bytes): feed(session, files: .heard(blob, chunk: chunk, bytes))
        case .ask(let ask, let member): send(ask, to: member, on: id, session)
        case .left(let blob, let chunks): feed(session, files: .castLeft(blob, chunks))
        case .ended(let blob, _):
            segment.followed[blob] = nil
            notifySwarm(of: blob, session, now)
        case .otherCast(let blob, let member, let block):
            // If we were about to cast the file as well, we leave that to the other member.
            if session.casts.pending[blob] != nil { dropPending(blob, session) }
            feed(session, ownCast: .otherCast(blob, member, block: block), on: id)
        }
    }

    /// Tells the swarm until when to wait for casts of the file, and which other members hear them, as far as we
    /// know.
    func notifySwarm(of blob: BlobID, _ session: TourSession, _ now: Instant) {
        var beside: Set<LinkID> = []
        let until = session.casts.castUntil(blob)
        for (id, segment) in session.casts.segments where segment.followed[blob] != nil {
            if until == nil {
                segment.followed[blob] = nil
            } else {
                beside.formUnion(links(to: session.gossip.listeners(on: id, now: now).heard, session))
            }
        }
        feed(session, files: .casting(blob, until: until ?? now, beside: beside))
    }

    /// Sends an ask as a datagram to everybody, where the caster is proven to hear us; else on its link, if there is
    /// one.
    private func send(_ ask: CastAsk, to member: MemberID, on id: SegmentID, _ session: TourSession) {
        let link = session.gossip.neighbours.first { $0.value == member }?.key
        let isHeard = session.gossip.listeners(on: id, now: NodeClock.now).hearUs.contains(member)
        if !isHeard, let link {
            session.connections[link]?.send(.castAsks([ask]))
        } else {
            feed(session, .castAsks(id, [ask]))
        }
    }

    /// Datagrams of casts. Their tags show the tour: a foreign one costs each tour a look-up.
    /// - Returns: whether we follow a cast there.
    func receiveCasts(_ datagrams: [[UInt8]], on id: SegmentID) -> Bool {
        for session in sessions.values { feed(session, cast: .datagrams(datagrams), on: id) }
        return sessions.values.contains { $0.casts.segments[id]?.followed.isEmpty == false }
    }

    /// - Parameter sender: the first bytes of the member's id.
    func receive(_ asks: [CastAsk], from sender: UInt64, on id: SegmentID, _ session: TourSession) {
        guard sender != session.own.prefix else { return }
        for ask in asks {
            feed(session, ownCast: .ask(ask, from: sender), on: id)
            feed(session, cast: .ask(ask), on: id)
        }
    }

    /// Asks that arrived on a link: they are for this node alone.
    func receive(_ asks: [CastAsk], on link: LinkID, _ session: TourSession) {
        guard let member = session.gossip.neighbours[link] else { return }
        for id in session.casts.segments.keys {
            for ask in asks { feed(session, ownCast: .ask(ask, from: member.prefix), on: id) }
        }
    }

    // MARK: - Sending

    private func carryOut(
        _ output: CastSender.Output, _ session: TourSession, _ segment: CastSegment, _ id: SegmentID
    ) {
        switch output {
        case .needChunk(let blob, let chunk): read(chunk, of: blob, on: id, session)
        case .send(let batch): send(batch, on: id, session)
        case .ended(let blob, _):
            segment.sending.remove(blob)
            feed(session, cast: .forget(blob), on: id)
            settleCast(of: blob, session)
        }
    }

    private func send(_ batch: [[UInt8]], on id: SegmentID, _ session: TourSession) {
        guard let sent = air.ports[id]?.port?.cast(batch) else {
            // The port is closed: nothing can be sent there any more.
            for blob in session.casts.segments[id]?.sending ?? [] { feed(session, ownCast: .stop(blob), on: id) }
            return
        }
        let tour = session.tour
        // In a turn of the loop of its own: a socket that accepts datagrams at once would otherwise recurse ever
        // deeper.
        let taken: @Sendable () -> Void = { [weak self] in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour], let segment = session.casts.segments[id] else { return }
                segment.sentAt = NodeClock.now
                node.feed(session, ownCast: .sent, on: id)
            }
        }
        sent.whenComplete { [loop] _ in loop.execute(taken) }
    }

    private func read(_ chunk: Int, of blob: BlobID, on id: SegmentID, _ session: TourSession) {
        guard let file = session.files.open[blob] else {
            return feed(session, ownCast: .chunk(blob, chunk, nil), on: id)
        }
        let tour = session.tour
        files.submit { [self] in
            let result = Result { () throws(StoreError) in try file.read(chunk) }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    if case .failure(let error) = result { node.count(error) }
                    node.feed(session, ownCast: .chunk(blob, chunk, try? result.get()), on: id)
                }
            }
        }
    }
}
