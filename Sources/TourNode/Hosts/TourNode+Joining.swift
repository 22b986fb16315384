import NIOCore
import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Joining a tour, and admitting others to one. `Joining` and `TourJoiners` decide.
extension TourNode {
    /// Finds any member of the tour behind a code, asks to be admitted, and stores the tour.
    /// - Parameter text: the code, or a `tour-chat://join/…` link.
    /// - Throws: `InviteCodeError` for a malformed code; `NodeError` that names who refused and why, or says that
    ///   nobody answered; `CancellationError`.
    package func join(_ text: String, name: String?, timeoutSeconds: Int) async throws -> JoinedTour {
        let link = try InviteLink(parsing: text)
        await waitForStanding(of: link.code)
        try refuseMembers(link.code)
        guard !settings.isOffline else {
            throw NodeError.join(.offline)
        }
        if let name {
            _ = try await setName(name)
            // Meanwhile another attempt with this code may have ended.
            try refuseMembers(link.code)
        }
        let attempt = joining.begin(link, timeout: .seconds(max(1, timeoutSeconds)), joiningHost)
        let tour: TourID = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (answer: CheckedContinuation<TourID, any Error>) in
                joining.whenEnded(attempt) { answer.resume(with: $0) }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.joining.cancel(attempt, $0.joiningHost) } }
        }
        if let session = sessions[tour] { announceName(in: session) }
        await waitForName(of: tour)
        guard let session = sessions[tour] else { throw NodeError.notActive }
        moments?.yield(.joined(session.record.name))
        return JoinedTour(tourID: tour.hex, memberID: session.own.hex, name: session.record.name)
    }

    /// Whether this is a guide's link with a code that was copied correctly; a bare code is none.
    package static func isJoinLink(_ text: String) -> Bool { InviteLink.isLink(text) }

    /// Fails every join in progress: the node is stopping.
    package func endJoins() {
        joining.stop(joiningHost)
        for session in sessions.values {
            session.joiners.endNameWait()
            session.joiners.endStandingWaits()
        }
    }

    private func refuseMembers(_ code: InviteCode) throws(NodeError) {
        if let session = sessions.values.first(where: { $0.isMember && code.names($0.tour) }) {
            throw NodeError.join(.alreadyMember(session.record.name))
        }
    }

    /// A member that was away may have been removed without knowing: waits for a member's word, at most as long as
    /// finding one may take.
    private func waitForStanding(of code: InviteCode) async {
        guard let session = sessions.values.first(where: { $0.isMember && code.names($0.tour) }),
            !session.machine.isRecognised, session.group.roster.linking.count > 1, !settings.isOffline, !isStopping
        else { return }
        let tour = session.tour
        let timer = loop.scheduleTask(in: Self.standingWaitMax) { [weak self] () -> Void in
            self?.assumeIsolated { $0.sessions[tour]?.joiners.endStandingWaits() }
        }
        dialSoon()
        await withCheckedContinuation { session.joiners.awaitStanding($0) }
        timer.cancel()
    }

    private static let standingWaitMax: TimeAmount = .seconds(5)

    /// A tour's name arrives with its log, a moment after the first link: waits for it briefly. Several members may
    /// have named the tour; the newest name counts.
    private func waitForName(of tour: TourID) async {
        guard let session = sessions[tour], !session.isNamed, !isStopping else { return }
        let timer = loop.scheduleTask(in: Self.nameWaitMax) { [weak self] () -> Void in
            self?.assumeIsolated { $0.sessions[tour]?.joiners.endNameWait() }
        }
        await withCheckedContinuation { session.joiners.awaitName($0) }
        timer.cancel()
    }

    private static let nameWaitMax: TimeAmount = .seconds(2)

    /// Stores a tour that admitted us.
    func enter(
        _ group: TourGroup, _ keys: MemberKeys, _ secret: InviteSecret, through address: Dialer.Address
    ) throws -> TourID {
        // Two codes of one tour may be in use at once. A tour that we left is joined anew once everything that we
        // wrote in it is on the disk.
        if let known = sessions[group.tour], known.isMember || known.machine.isWriting {
            throw NodeError.join(.alreadyMember(known.record.name))
        }
        let session = try found(group, keys, name: String(group.tour.hex.prefix(8)))
        keep(secret, in: session)
        addressBook.remember(address, of: session.tour)
        dialer.forget(Dialer.Target(address: address, tour: session.tour))
        dialSoon()
        return session.tour
    }

    /// A datagram that no key of our tours opens.
    /// - Returns: whether it is about a join: of ours, or of somebody with a code of ours.
    func receiveJoinDatagram(_ bytes: [UInt8], from sender: SocketAddress, on segment: SegmentID) -> Bool {
        let tours = sessions.values.filter { $0.wantsLinks && !$0.isOut }.map(\.joiners)
        return joining.receive(bytes, from: sender, on: segment, among: tours, joiningHost)
    }

    /// A holder of a code asks to join, with checked signatures.
    func answer(_ request: JoinRequest, _ connection: LinkConnection, _ tour: TourID) {
        guard let session = sessions[tour] else { return connection.close(saying: .closing) }
        let verdict = joining.judge(request, from: connection.address, at: session.joiners, joiningHost)
        if verdict == .admit {
            Task { await self.admit(request, connection, tour) }
        } else {
            carryOut(verdict, on: request, connection, session)
        }
    }

    /// Answers an admission once it is on the disk, never before.
    private func admit(_ request: JoinRequest, _ connection: LinkConnection, _ tour: TourID) async {
        guard let session = sessions[tour] else { return connection.close(saying: .closing) }
        defer { session.joiners.endAdmission(of: request) }
        do {
            try await write(control: .admit(request), in: session)
        } catch {
            return connection.close(saying: .closing)
        }
        let verdict = session.joiningFacts.outcome(of: request, wallMilliseconds: NodeClock.wallMilliseconds)
        if verdict == .welcome { await beginEpoch(for: MemberID(identity: request.identity), in: session) }
        carryOut(verdict, on: request, connection, session)
    }

    private func carryOut(
        _ verdict: JoinVerdict, on request: JoinRequest, _ connection: LinkConnection, _ session: TourSession
    ) {
        switch verdict {
        case .welcome:
            let controls = ControlBatches.cut(session.group.welcome).map { LinkMessage.control($0) }
            let keys = session.group.epochKeys(for: MemberID(identity: request.identity)).prefix(Limits.epochKeysMax)
            send(controls + [.welcome(keys.compactMap { EpochSecret($0) })], inPartsOn: connection)
        case .refuse(let refusal):
            connection.send(.joinRefusal(refusal))
            connection.close(saying: .closing)
        case .later, .admit: connection.close(saying: .closing)
        }
    }
}
