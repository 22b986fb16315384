import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

// Connections: what the app reports of them, and what becomes of a link.
extension TourDevice {
    /// A connection that the app made leads to a member of a tour, or so the app thinks: begin to talk.
    /// - Parameter attempt: how many dials of this address have led to nobody since the last that led to a member.
    ///   Members are asked in turn with older keys of the tour, since they may be behind.
    /// - Throws: `unknownTour`, `connectionInUse`, `waitsForKey`.
    public func dial(
        _ connection: Connection, for tour: TourIdentifier, attempt: Int = 0, at moment: Moment
    ) throws(TourRefusal) {
        reading = moment.reading
        guard let credential = try self.tour(tour).credential(attempt: max(attempt, 0)) else { throw .waitsForKey }
        try begin(connection, .tour, .member(credential))
    }

    /// A connection that the app made leads to somebody who may let this device in by a code. `TourNotice.joined`
    /// follows, or `refused`, or the end of the connection: then ask at another address. Connect and `dial` once more
    /// after it has joined: a join is one question and its answer.
    /// - Throws: `alreadyMember`, `connectionInUse`.
    public func dial(_ connection: Connection, joining code: JoinCode, at moment: Moment) throws(TourRefusal) {
        reading = moment.reading
        guard !tours.values.contains(where: { $0.machine.isMember && code.code.names($0.tour) }) else {
            throw .alreadyMember
        }
        let attempt = attempts[code.code] ?? JoinAttempt(code.code)
        attempts[code.code] = attempt
        try begin(connection, .join(attempt), .join(attempt.ticket))
    }

    /// Somebody has connected to this device. Of those who have proven nothing an address has a share, and where all
    /// places are taken the one that was silent longest makes room.
    /// - Parameter address: numeric, without the port: handshakes and admissions are limited for each.
    /// - Throws: `connectionInUse`.
    public func accept(_ connection: Connection, from address: String, at moment: Moment) throws(TourRefusal) {
        reading = moment.reading
        guard ends[connection] == nil else { throw .connectionInUse }
        let strangers = ends.values.filter { $0.machine.isStranger }.sorted { $0.openedAt < $1.openedAt }
        guard strangers.count(where: { $0.address == address }) < Self.strangersPerAddressMax else {
            return emit(.close(connection))
        }
        if strangers.count >= Self.strangersMax, let oldest = strangers.first {
            ends[oldest.connection] = nil
            emit(.close(oldest.connection))
        }
        let now = reading.now
        ends[connection] = LinkEnd(
            connection, .accepted, address: address, openedAt: now, LinkMachine(acceptedAt: now, from: address))
    }

    /// Bytes have arrived on a connection. After its end they are ignored.
    public func receive(_ bytes: some Collection<UInt8>, on connection: Connection, at moment: Moment) {
        reading = moment.reading
        guard let end = ends[connection] else { return }
        var outputs = [LinkMachine.Output]()
        var fault: LinkFault?
        do throws(LinkFault) {
            try end.machine.receive(bytes, in: surroundings, guarding: &hellos, into: &outputs)
        } catch {
            fault = error
        }
        for output in outputs where ends[connection] === end {
            switch output {
            case .write(let bytes): write(bytes, to: end)
            case .opened(let peer):
                end.peer = peer
                opened(end, peer)
            case .message(let message): received(message, on: end)
            // The app chose whom to dial, and nobody asks without a code here.
            case .met, .openedForAsking: break
            }
        }
        if let fault, ends[connection] === end { fail(end, fault) }
    }

    /// The system has taken the bytes of one `TourAction.write` of a connection: call it once for each of them.
    public func written(_ connection: Connection, at moment: Moment) {
        reading = moment.reading
        guard let end = ends[connection] else { return }
        end.writesUnderWay = max(0, end.writesUnderWay - 1)
    }

    /// A connection has ended, whichever side ended it, or could not be made. Without effect on one that this device
    /// has closed.
    public func closed(_ connection: Connection, at moment: Moment) {
        reading = moment.reading
        if let end = ends[connection] { forget(end, nil) }
    }

    /// Ends a connection.
    public func hangUp(_ connection: Connection, at moment: Moment) {
        reading = moment.reading
        if let end = ends[connection] { close(end, saying: .closing) }
    }

    /// The most connections at once whose peers have dialled and proven nothing: strangers cannot use up the sockets
    /// of the app.
    public static let strangersMax = 32
    /// Of these, the most from one address.
    public static let strangersPerAddressMax = 16

    // MARK: - Beginning

    private func begin(
        _ connection: Connection, _ purpose: LinkEnd.Purpose, _ intent: DialIntent
    ) throws(TourRefusal) {
        guard ends[connection] == nil else { throw .connectionInUse }
        var outputs = [LinkMachine.Output]()
        let machine = LinkMachine(
            dialling: intent, salt: Hello.randomSalt(), now: reading.now, into: &outputs)
        let end = LinkEnd(connection, purpose, address: "", openedAt: reading.now, machine)
        ends[connection] = end
        for case .write(let bytes) in outputs { write(bytes, to: end) }
    }

    private var surroundings: LinkMachine.Surroundings {
        LinkMachine.Surroundings(
            now: reading.now,
            standing: { [tours] tour, key in tours[tour]?.machine.group.roster.standing(of: key) ?? .unknown },
            credentials: { [tours, reading] in
                var list = [LinkCredential]()
                for tour in tours.values where !tour.machine.hasLostKey {
                    list += tour.memberCredentials
                    list += tour.joinCredentials(beside: list.count, wallMilliseconds: reading.wallMilliseconds)
                }
                return Array(list.prefix(Limits.credentialsMax))
            })
    }

    private func opened(_ end: LinkEnd, _ peer: LinkPeer) {
        switch peer.kind {
        case .joiner(let request): answer(request, on: end, of: peer.tour)
        case .host: break
        case .former(let member): tellEnding(to: member, on: end, of: peer.tour)
        case .restricted(let member)
        where tours[peer.tour]?.machine.group.hearing(of: member, through: peer.epoch) == .ending:
            tellEnding(to: member, on: end, of: peer.tour)
        case .member(let member), .restricted(let member): openedToMember(end, peer, member)
        }
    }

    /// A peer that is out of the tour and may not know it: sends it the events that say so, and nothing else.
    private func tellEnding(to member: MemberID, on end: LinkEnd, of id: TourID) {
        guard let tour = tours[id], member != tour.machine.own,
            let out = tour.machine.group.roster.members[member], !out.isActive
        else { return close(end, saying: .closing) }
        for batch in ControlBatches.cut(tour.machine.group.ending(of: member)) { end.machine.enqueue(.control(batch)) }
        close(end, saying: out.hasLeft ? .left : .removed)
    }

    private func openedToMember(_ end: LinkEnd, _ peer: LinkPeer, _ member: MemberID) {
        guard let tour = tours[peer.tour], tour.machine.acceptsLinks(now: reading.now), !tour.machine.hasLostKey else {
            return close(end, saying: .closing)
        }
        guard member != tour.machine.own else { return close(end, saying: .duplicate) }
        guard keeps(end, to: member, tour) else { return }
        let link = makeLink()
        end.link = link
        connections[link] = end.connection
        feed(tour, .linkOpened(link, peer, hasPath: false))
        emit(.notice(.linked(TourIdentifier(tour.tour), MemberIdentifier(member), end.connection)))
    }

    /// Whether to keep a link that opens. May end another link in its favour.
    private func keeps(_ end: LinkEnd, to member: MemberID, _ tour: HeldTour) -> Bool {
        let old = links(of: tour).first { $0.member == member }
        let verdict = overlay(of: tour).verdict(
            on: facts(of: end), to: member, beside: old.map { facts(of: $0) }, openCount: links(of: tour).count,
            now: reading.now)
        switch verdict {
        case .keep: break
        case .replaceOther: if let old { close(old, saying: .duplicate) }
        case .replace(let given):
            if let other = links(of: tour).first(where: { $0.member == given }) { close(other, saying: .full) }
        case .refuse(let reason):
            close(end, saying: reason)
            return false
        }
        return true
    }

    private func facts(of end: LinkEnd) -> LinkFacts {
        var isRestricted = false
        if case .restricted = end.peer?.kind { isRestricted = true }
        var isOutbound = true
        if case .accepted = end.purpose { isOutbound = false }
        return LinkFacts(isOutbound: isOutbound, isRestricted: isRestricted, openedAt: end.openedAt)
    }

    /// Ends all links of a membership that is over.
    func hangUp(on tour: HeldTour) {
        for end in links(of: tour) { close(end, saying: .closing) }
    }

    private func links(of tour: HeldTour) -> [LinkEnd] { ends.values.filter { $0.tour == tour.tour } }

    private func overlay(of tour: HeldTour) -> Overlay {
        let kept = links(of: tour).compactMap { end -> KeptLink? in
            guard case .member(let member) = end.peer?.kind else { return nil }
            return KeptLink(member: member, openedAt: end.openedAt, networks: [0])
        }
        return Overlay(of: tour.machine, links: kept, networks: [0], places: [], dialer: dialer, now: reading.now)
    }

    // MARK: - Messages

    private func received(_ message: LinkMessage, on end: LinkEnd) {
        if case .join(let attempt) = end.purpose { return received(message, on: end, for: attempt) }
        guard let link = end.link, let id = end.peer?.tour, let tour = tours[id] else { return }
        feed(tour, .message(link, message))
        guard case .bye(let reason) = message, ends[end.connection] === end else { return }
        end.ending = reason
        close(end, saying: .closing)
    }

    func end(of link: LinkID) -> LinkEnd? { connections[link].flatMap { ends[$0] } }

    func recognise(_ member: MemberID, on link: LinkID, _ tour: HeldTour) {
        guard let end = end(of: link) else { return }
        end.peer?.kind = .member(member)
        end.machine.recognise()
    }

    func send(_ message: LinkMessage, on link: LinkID) {
        guard let end = end(of: link) else { return }
        end.machine.enqueue(message)
        checkPressure(of: end)
    }

    private func checkPressure(of end: LinkEnd) {
        let queued = end.machine.queuedBytes
        guard queued <= Limits.linkQueueBytesClose else { return fail(end, .deadPeer) }
        let isLagging = end.isLagging ? queued >= Limits.linkQueueBytesMax / 4 : queued > Limits.linkQueueBytesMax
        guard isLagging != end.isLagging, let link = end.link, let tour = end.tour.flatMap({ tours[$0] }) else {
            return
        }
        end.isLagging = isLagging
        feed(tour, .replication(.pressure(link, isLagging: isLagging)))
    }

    // MARK: - Writing

    /// One large slice, or several small ones, between two reports that the system has taken them: bytes that are
    /// encrypted can no longer be overtaken.
    private static let writtenBytes = 32 * 1024

    private func write(_ bytes: [UInt8], to end: LinkEnd) {
        end.writesUnderWay += 1
        emit(.write(end.connection, bytes))
    }

    /// Takes bytes out of the queues, wherever the system has taken those before.
    /// - Returns: whether there were any.
    func pump() -> Bool {
        var isWriting = false
        for end in Array(ends.values) where end.writesUnderWay == 0 && end.machine.queuedBytes > 0 {
            guard drain(end, Self.writtenBytes) else { continue }
            isWriting = true
            checkPressure(of: end)
        }
        return isWriting
    }

    /// - Returns: whether there was something to write.
    private func drain(_ end: LinkEnd, _ budget: Int) -> Bool {
        var outputs = [LinkMachine.Output]()
        do throws(LinkFault) {
            try end.machine.drain(through: .catchUp, budget: budget, now: reading.now, into: &outputs)
        } catch {
            fail(end, error)
            return false
        }
        for case .write(let bytes) in outputs { write(bytes, to: end) }
        return !outputs.isEmpty
    }

    // MARK: - Ending

    /// Sends the reason, lets queued messages go out, and closes.
    func close(_ end: LinkEnd, saying reason: ByeReason) {
        guard ends[end.connection] === end else { return }
        end.ending = end.ending ?? reason
        end.machine.enqueue(.bye(reason))
        _ = drain(end, .max)
        guard ends[end.connection] === end else { return }
        emit(.close(end.connection))
        forget(end, nil)
    }

    /// Ends a connection for a fault of its peer.
    private func fail(_ end: LinkEnd, _ fault: LinkFault) {
        guard ends[end.connection] === end else { return }
        if fault == .falseTour, case .join(let attempt) = end.purpose {
            emit(.notice(.refused(JoinCode(attempt.code), .falseTour)))
        }
        emit(.close(end.connection))
        forget(end, fault.code)
    }

    private func forget(_ end: LinkEnd, _ code: String?) {
        ends[end.connection] = nil
        emit(.notice(.ended(end.connection, code)))
        guard let link = end.link, let tour = end.tour.flatMap({ tours[$0] }) else { return }
        connections[link] = nil
        tour.owedAt[link] = nil
        feed(tour, .linkClosed(link))
        if let member = end.member, !links(of: tour).contains(where: { $0.member == member }) {
            _ = dialer.linkEnded(to: member, of: tour.machine, saying: end.ending, now: reading.now)
        }
    }

    /// Once a second: keep-alives, deadlines, fresh keys, and at most one link too many of each tour.
    func tickConnections() {
        let now = reading.now
        for end in Array(ends.values) {
            do throws(LinkFault) { try end.machine.tick(now: now) } catch { fail(end, error) }
            if end.machine.isSpent(now: now) { close(end, saying: .rehandshake) }
            if end.isOverdue(now: now) { close(end, saying: .closing) }
        }
        for tour in tours.values where links(of: tour).count > Overlay.acceptMax {
            guard let member = overlay(of: tour).surplus(now: now) else { continue }
            if let end = links(of: tour).first(where: { $0.member == member }) { close(end, saying: .full) }
        }
    }
}
