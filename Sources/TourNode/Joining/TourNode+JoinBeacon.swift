import NIOCore
import TourCrypto
import TourDiscovery
import TourGossip
import TourGroup
import TourModel
import TourTransport
import TourWire

// A joiner asks the whole network for members, and learns where they can be dialled: a way in without mDNS.
// Source: `Protocol/07-joining.md`, "Being found without mDNS".
extension TourNode {
    /// Once a second, for every join in progress.
    func askForMembers() {
        for attempt in joins.values {
            // An answer names a port, a question none.
            let question = Datagram(sender: UInt64.random(in: .min ... .max, using: &rng), counter: attempt.questions)
            attempt.questions += 1
            for port in air.ports.values { send(question, sealedBy: attempt.seal, on: port.port) }
        }
    }

    /// A datagram that no key of our tours opens: the question of somebody with a code of ours, or the answer to our
    /// own.
    /// - Returns: whether it was one of them.
    func receiveJoinDatagram(_ bytes: [UInt8], from sender: SocketAddress, on segment: SegmentID) -> Bool {
        for attempt in joins.values {
            guard let plaintext = attempt.seal.open(bytes) else { continue }
            _ = air.window.insert(bytes)
            guard let answer = try? Datagram(decoding: plaintext), answer.port > 0,
                let address = address(sender, port: answer.port, on: segment)
            else { return true }
            attempt.record(address)
            dialSoon()
            return true
        }
        return receiveQuestion(bytes, on: segment)
    }

    /// Tries the keys of invites within their budget: a flood shuts out joiners while it lasts, and nobody else.
    private func receiveQuestion(_ bytes: [UInt8], on segment: SegmentID) -> Bool {
        let now = NodeClock.now
        guard air.door.triesInvites(now: now) else { return false }
        var tries = 0
        defer { air.door.recordTries(tries, now: now) }
        for session in sessions.values where session.wantsLinks && !session.isOut {
            for (invite, seal) in session.inviteSeals(wallMilliseconds: NodeClock.wallMilliseconds) {
                tries += 1
                guard let plaintext = seal.open(bytes) else { continue }
                _ = air.window.insert(bytes)
                guard let said = try? Datagram(decoding: plaintext) else { return true }
                considerAnswer(isAnswer: said.port > 0, invite, seal, on: segment, session)
                return true
            }
        }
        return false
    }

    /// Each member answers after a random time, unless it hears another one answer.
    private func considerAnswer(
        isAnswer: Bool, _ invite: SigningKey, _ seal: DatagramSeal, on segment: SegmentID, _ session: TourSession
    ) {
        let now = NodeClock.now
        guard !isAnswer else {
            // A holder of the code may send a false answer: that silences nobody for long.
            if session.ownJoinAnswers[invite].map({ now - $0 < Self.answerInTurn }) ?? false {
                session.answeredJoiners[invite] = now
            }
            return
        }
        let isFresh = session.answeredJoiners[invite].map { now - $0 < Self.answerPause } ?? false
        guard session.joinAnswers[invite] == nil, !isFresh else { return }
        let members = Int64(max(session.group.roster.active.count, 1))
        let chance = Int64.random(in: 0...Self.answerChance * members, using: &rng)
        let tour = session.tour
        session.joinAnswers[invite] = loop.scheduleTask(in: .microseconds(chance)) { [weak self] () -> Void in
            self?.assumeIsolated { $0.answerJoiner(tour, invite, seal, on: segment, askedAt: now) }
        }
    }

    private func answerJoiner(
        _ tour: TourID, _ invite: SigningKey, _ seal: DatagramSeal, on segment: SegmentID, askedAt: Instant
    ) {
        guard let session = sessions[tour] else { return }
        session.joinAnswers[invite] = nil
        if let answered = session.answeredJoiners[invite], answered >= askedAt { return }
        session.answeredJoiners[invite] = NodeClock.now
        session.ownJoinAnswers[invite] = NodeClock.now
        var answer = Datagram(sender: session.own.prefix, counter: 0)
        answer.port = port
        send(answer, sealedBy: seal, on: air.ports[segment]?.port)
    }

    /// Microseconds, for each member of the tour.
    private static let answerChance: Int64 = 2_000
    /// A member that has not answered for this long answers, whatever others answered.
    private static let answerInTurn: Duration = .seconds(5)
    /// One answer serves everybody who asks within this time.
    private static let answerPause: Duration = .milliseconds(250)

    private func send(_ datagram: Datagram, sealedBy seal: DatagramSeal, on port: MulticastPort?) {
        guard let port, let plaintext = datagram.encode() else { return }
        let sealed = seal.seal(plaintext)
        _ = air.window.insert(sealed)
        port.send(sealed)
    }

    /// The address where the sender of a datagram can be dialled.
    func address(_ sender: SocketAddress, port: Int, on segment: SegmentID) -> Dialer.Address? {
        guard let ip = sender.ipAddress, let name = air.ports[segment]?.name else { return nil }
        return Dialer.Address(host: ip.hasPrefix("fe80") ? "\(ip)%\(name)" : ip, port: UInt16(clamping: port))
    }
}

extension TourSession {
    /// The invites whose holders we answer. A closed tour, and some that are over, answer too, so that the joiner
    /// learns why it cannot join.
    /// - Parameter count: how many other credentials we answer already.
    func answeredInvites(beside count: Int, wallMilliseconds: Int64) -> [InviteState] {
        let invites = group.roster.invites.values.sorted { $0.key < $1.key }
        let open = invites.filter { $0.isOpen(wallMilliseconds: wallMilliseconds) }
        let over = invites.filter { !$0.isOpen(wallMilliseconds: wallMilliseconds) }
            .prefix(max(0, Limits.credentialsMax / 2 - open.count - count))
        return Array((open + over).prefix(Limits.credentialsMax))
    }

    /// The same invites with the seals for their holders' questions.
    func inviteSeals(wallMilliseconds: Int64) -> [(invite: SigningKey, seal: DatagramSeal)] {
        answeredInvites(beside: 0, wallMilliseconds: wallMilliseconds).compactMap { invite in
            seal(of: invite).map { (invite.key, $0) }
        }
    }

    private func seal(of invite: InviteState) -> DatagramSeal? {
        if let seal = joinSeals[invite.key] { return seal }
        guard let secret = joinSecret(of: invite) else { return nil }
        let seal = DatagramSeal(joinSecret: secret)
        joinSeals[invite.key] = seal
        return seal
    }
}
