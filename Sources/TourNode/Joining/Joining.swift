import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// The joins of one node: its attempts to join tours by a code, whom they ask and how answers are handled, and how many
/// newcomers the node admits. Source: `Protocol/07-joining.md`; drawn in `Protocol/StateMachines/join.dot`.
///
/// Used on the node's loop alone.
package final class Joining {
    private var attempts: [UInt64: JoinAttempt] = [:]
    /// Results of attempts that ended before anybody awaited them.
    private var results: [UInt64: Result<TourID, any Error>] = [:]
    private var nextID: UInt64 = 1
    private var rate = AdmissionRate()

    /// How soon a member that did not answer is asked again.
    private static let retryPause: Duration = .seconds(2)

    package init() {}

    /// Whether any attempt is in progress.
    package var isSeeking: Bool { !attempts.isEmpty }

    // MARK: Attempts

    /// Begins to look for a member of the tour behind a code.
    /// - Returns: names the attempt.
    package func begin(_ link: InviteLink, timeout: Duration, _ host: some JoiningHost) -> UInt64 {
        let id = nextID
        nextID += 1
        // One attempt for each code. The newer one continues with the keys of the older, which a member may have
        // admitted: other keys would use up a code for one person.
        let older = attempts.values.first { $0.code == link.code }
        let attempt = JoinAttempt(id: id, link: link, keys: older?.keys ?? MemberKeys.random())
        if let older {
            let replaced = NodeError.join(.replaced)
            finish(older, .failure(replaced), host)
        }
        attempts[id] = attempt
        attempt.cancelExpiry = host.setExpiry(of: id, in: timeout)
        host.dialDue()
        askForMembers(host)
        return id
    }

    /// - Parameter receive: gets the attempt's result, once.
    package func whenEnded(_ id: UInt64, _ receive: @escaping (Result<TourID, any Error>) -> Void) {
        if let result = results.removeValue(forKey: id) { return receive(result) }
        guard let attempt = attempts[id] else { return receive(.failure(CancellationError())) }
        attempt.whenEnded = receive
    }

    /// Nobody has admitted us in time.
    package func expire(_ id: UInt64, _ host: some JoiningHost) {
        guard let attempt = attempts[id] else { return }
        let nobody = NodeError.join(.nobodyFound)
        finish(attempt, .failure(attempt.refusal ?? nobody), host)
    }

    /// Nobody awaits the result any more.
    package func cancel(_ id: UInt64, _ host: some JoiningHost) {
        guard let attempt = attempts[id] else { return }
        finish(attempt, .failure(CancellationError()), host)
    }

    /// Fails every join in progress: the node is stopping.
    package func stop(_ host: some JoiningHost) {
        for attempt in attempts.values {
            let stopping = NodeError.join(.stopping)
            finish(attempt, .failure(stopping), host)
        }
    }

    /// Ends an attempt with its timers, dials and links.
    private func finish(_ attempt: JoinAttempt, _ result: Result<TourID, any Error>, _ host: some JoiningHost) {
        attempts[attempt.id] = nil
        attempt.cancelExpiry?()
        for connection in attempt.askedMembers.keys { host.close(connection) }
        if let whenEnded = attempt.whenEnded { whenEnded(result) } else { results[attempt.id] = result }
        attempt.whenEnded = nil
    }

    // MARK: Dialling

    /// Dials for every join in progress: first nodes that announce the invite's tag, then every other node in sight.
    package func dial(_ host: some JoiningHost) {
        let now = host.now
        for attempt in attempts.values where attempt.busy < Dialer.atOnceMax {
            for address in attempt.order(with: host.addresses(announcing: attempt.ticket.secret.joinSecret)) {
                guard attempt.busy < Dialer.atOnceMax else { break }
                // An address may be listed twice.
                if let last = attempt.asked[address], now - last < Self.retryPause { continue }
                attempt.asked[address] = now
                attempt.dialling += 1
                host.dial(address, with: attempt.ticket, for: attempt.id)
            }
        }
    }

    /// Nobody accepts a connection at an address that was dialled for an attempt.
    package func dialFailed(at address: Dialer.Address, for id: UInt64, _ host: some JoiningHost) {
        attempts[id]?.dialling -= 1
        host.reportUnreachable(address)
        // There is room for the next address.
        host.dialSoon()
    }

    /// An address that was dialled for an attempt accepted a connection.
    package func connected(
        _ connection: ObjectIdentifier, to address: Dialer.Address, for id: UInt64, _ host: some JoiningHost
    ) {
        guard let attempt = attempts[id] else { return host.close(connection) }
        attempt.dialling -= 1
        attempt.askedMembers[connection] = JoinAttempt.AskedMember(address: address)
    }

    /// A connection has closed; it may have been one of an attempt.
    /// - Parameter hasPeer: whether a member had answered on it.
    package func connectionClosed(
        _ connection: ObjectIdentifier, hasPeer: Bool, _ fault: LinkFault?, _ host: some JoiningHost
    ) {
        for attempt in attempts.values {
            guard let closed = attempt.askedMembers.removeValue(forKey: connection) else { continue }
            // The address accepted the connection and no more: no member for this code, or no member at all.
            if !hasPeer { host.reportUnreachable(closed.address) }
            if fault == .falseTour { attempt.refusal = Self.falseTour }
            // There is room for the next address.
            host.dialSoon()
        }
    }

    /// A join is one question and its answer: a joiner that keeps the link for longer occupies a place that others
    /// need.
    package static func isOverdue(_ peer: LinkPeer?, openedAt: Instant, now: Instant) -> Bool {
        guard let peer, now - openedAt > Limits.joinLinkLifetime else { return false }
        switch peer.kind {
        case .joiner, .host: return true
        case .member, .restricted, .former: return false
        }
    }

    // MARK: Answers on links

    /// A member's answer to our request: the control events, then the keys; or a refusal.
    /// - Parameter peer: the member, as its handshake proved it.
    package func receive(
        _ message: LinkMessage, on connection: ObjectIdentifier, from peer: LinkPeer?, _ host: some JoiningHost
    ) {
        guard let attempt = attempts.values.first(where: { $0.askedMembers[connection] != nil }) else {
            return host.close(connection)
        }
        switch message {
        case .control(let events):
            let bytes = events.reduce(attempt.askedMembers[connection]?.controlBytes ?? 0) { $0 + $1.count }
            guard bytes <= Limits.joinControlBytesMax else { return host.close(connection) }
            attempt.askedMembers[connection]?.controlBytes = bytes
            attempt.askedMembers[connection]?.controls += events
        case .welcome(let epochs):
            guard let member = attempt.askedMembers[connection], let peer else { return }
            host.close(connection)
            guard let group = TourGroup(welcoming: attempt.keys.memberID, by: peer, member.controls, epochs) else {
                // One host that sends nonsense does not end the search: the next member is asked.
                attempt.refusal = Self.falseTour
                return
            }
            let entered = Result {
                try host.enter(
                    group, keys: attempt.keys, secret: attempt.ticket.secret, through: member.address)
            }
            finish(attempt, entered, host)
        case .joinRefusal(let refusal):
            host.close(connection)
            let error = NodeError.join(NodeError.JoinFault(refusal))
            attempt.refusal = error
            // Other members give the same answer, unless their clocks differ: only `expired` does not end the search.
            if refusal != .expired { finish(attempt, .failure(error), host) }
        default: break
        }
    }

    private static var falseTour: NodeError { .join(.falseTour) }

    // MARK: Questions to the network

    /// Once a second, for every join in progress: asks everybody on our networks where a member can be dialled, a way
    /// in without mDNS. Source: `Protocol/07-joining.md`, "Being found without mDNS".
    package func askForMembers(_ host: some JoiningHost) {
        for attempt in attempts.values {
            // An answer names a port, a question none.
            let sender = UInt64.random(in: .min ... .max, using: &host.rng)
            let question = Datagram(sender: sender, counter: attempt.questions)
            attempt.questions += 1
            guard let plaintext = question.encode() else { continue }
            for segment in host.segments { host.multicast(attempt.seal.seal(plaintext), on: segment) }
        }
    }

    /// A datagram that no key of our tours opens: the answer to a question of ours, or the question of somebody with a
    /// code of ours.
    /// - Parameter tours: those whose newcomers this node may admit.
    /// - Returns: whether it was one of them.
    package func receive(
        _ bytes: [UInt8], from sender: SocketAddress, on segment: SegmentID, among tours: [TourJoiners],
        _ host: some JoiningHost
    ) -> Bool {
        for attempt in attempts.values {
            guard let plaintext = attempt.seal.open(bytes) else { continue }
            host.recordOpened(bytes)
            guard let answer = try? Datagram(decoding: plaintext), answer.port > 0,
                let address = host.address(of: sender, port: answer.port, on: segment)
            else { return true }
            attempt.record(address)
            host.dialSoon()
            return true
        }
        return receiveQuestion(bytes, on: segment, among: tours, host)
    }

    /// Tries the keys of invites within their budget: a flood shuts out joiners while it lasts, and nobody else.
    private func receiveQuestion(
        _ bytes: [UInt8], on segment: SegmentID, among tours: [TourJoiners], _ host: some JoiningHost
    ) -> Bool {
        let now = host.now
        guard host.triesInvites(now: now) else { return false }
        var tries = 0
        defer { host.recordTries(tries, now: now) }
        for tour in tours {
            for (invite, seal) in tour.seals(host) {
                tries += 1
                guard let plaintext = seal.open(bytes) else { continue }
                host.recordOpened(bytes)
                guard let datagram = try? Datagram(decoding: plaintext) else { return true }
                tour.receive(datagram, sealedFor: invite, on: segment, host)
                return true
            }
        }
        return false
    }

    // MARK: Admissions

    /// A holder of a code asks to join. The request's signatures are checked already; this checks the tour's rules.
    /// - Parameter address: numeric, where the request came from.
    package func judge(
        _ request: JoinRequest, from address: String, at tour: TourJoiners, _ host: some JoiningHost
    ) -> JoinVerdict {
        guard let facts = host.facts(of: tour.tour) else { return .later }
        if facts.hasAdmitted(request) { return .welcome }
        if let refusal = facts.refusal(of: request, wallMilliseconds: host.wallMilliseconds) { return .refuse(refusal) }
        // Whether a use is left shows once the earlier admissions are on the disk: the joiner asks again. If we have
        // admitted as many as our admissions may count, another member can.
        guard tour.hasUseLeft(for: request, facts), facts.roster.hasRoom(for: facts.own) else { return .later }
        // A joiner in the queue asks again; a flood of devices waits.
        guard rate.acquire(for: request.invite, from: address, now: host.now) else { return .later }
        tour.beginAdmission(of: request)
        return .admit
    }
}
