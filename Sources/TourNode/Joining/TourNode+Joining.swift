import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire
import TourWords

// Joining with a code: the attempt, from its beginning to its answer.
// Source: `Protocol/07-joining.md`; drawn in `Protocol/StateMachines/join.dot`.
extension TourNode {
    /// The tour that a join led to.
    package struct JoinedTour: Encodable, Sendable {
        package var tourID: String
        /// Our new id in it.
        package var memberID: String
        /// The tour's name, or part of its id while the name is unknown.
        package var name: String
    }

    /// Finds any member of the tour behind a code, asks to be admitted, and stores the tour.
    /// - Parameter text: the code, or a `tour-chat://join/…` link.
    /// - Throws: `InviteCodeError` for a malformed code; `NodeError` that names who refused and why, or says that
    ///   nobody answered; `CancellationError`.
    package func join(_ text: String, name: String?, timeoutSeconds: Int) async throws -> JoinedTour {
        let (code, addresses) = try Self.parse(text)
        await waitForStanding(of: code)
        try refuseMembers(code)
        guard !settings.isOffline else {
            throw NodeError("offline", Phrase("Joining needs the network: start the node with `tour-chat run`."))
        }
        if let name {
            _ = try await setName(name)
            // Meanwhile another attempt with this code may have ended.
            try refuseMembers(code)
        }
        let id = begin(code, addresses, timeoutSeconds: timeoutSeconds)
        let tour: TourID = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (answer: CheckedContinuation<TourID, any Error>) in
                hold(answer, for: id)
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.cancelJoin(id) } }
        }
        if let session = sessions[tour] { announceName(in: session) }
        await nameArrived(in: tour)
        guard let session = sessions[tour] else { throw NodeError.notActive }
        moments?.yield(NodeMoment(.joined, Phrase("Joined “\(session.record.name)”.")))
        return JoinedTour(tourID: tour.hex, memberID: session.own.hex, name: session.record.name)
    }

    /// Whether this is a guide's link with a code that was copied correctly; a bare code is none.
    package static func isJoinLink(_ text: String) -> Bool {
        text.utf8.count <= linkBytesMax && text.lowercased().hasPrefix(linkStart) && (try? parse(text)) != nil
    }

    private static let linkStart = "tour-chat://join/"
    /// A code and eight addresses take a third of it.
    private static let linkBytesMax = 2_048

    private static func parse(_ text: String) throws -> (InviteCode, [Dialer.Address]) {
        guard text.lowercased().hasPrefix(linkStart) else { return (try InviteCode(parsing: text), []) }
        let rest = text.dropFirst(linkStart.count)
        let parts = rest.split(separator: "?", maxSplits: 1)
        let code = try InviteCode(parsing: String(parts.first ?? ""))
        let addresses = (parts.count > 1 ? parts[1].split(separator: "&") : [])
            .filter { $0.hasPrefix("a=") }
            .prefix(8)
            .compactMap { Dialer.Address(String($0.dropFirst(2))) }
        return (code, Array(addresses))
    }

    /// A member that was away may have been removed without knowing: waits for a member's word, at most as long as
    /// finding one may take.
    private func waitForStanding(of code: InviteCode) async {
        guard let session = sessions.values.first(where: { $0.isMember && code.names($0.tour) }),
            !session.machine.isRecognised, session.group.roster.people.count > 1, !settings.isOffline, !isStopping
        else { return }
        let tour = session.tour
        let timer = loop.scheduleTask(in: Self.standingWaitMax) { [weak self] () -> Void in
            self?.assumeIsolated { $0.endStandingWaits(in: tour) }
        }
        dialSoon()
        await withCheckedContinuation { (heard: CheckedContinuation<Void, Never>) in
            session.standingWaits.append(heard)
        }
        timer.cancel()
    }

    private func endStandingWaits(in tour: TourID) { sessions[tour]?.endStandingWaits() }

    private static let standingWaitMax: TimeAmount = .seconds(5)

    private func refuseMembers(_ code: InviteCode) throws(NodeError) {
        if let session = sessions.values.first(where: { $0.isMember && code.names($0.tour) }) {
            throw NodeError.alreadyMember(session.record.name)
        }
    }

    private func begin(_ code: InviteCode, _ addresses: [Dialer.Address], timeoutSeconds: Int) -> UInt64 {
        let id = nextJoin
        nextJoin += 1
        // One attempt for each code. The newer one continues with the keys of the older, which a member may have
        // admitted: other keys would use up a code for one person.
        let older = joins.values.first(where: { $0.code == code })
        let attempt = JoinAttempt(id: id, code: code, given: addresses, keys: older?.keys ?? MemberKeys.random())
        if let older {
            finish(
                older,
                .failure(NodeError("replaced", Phrase("A newer join with this code goes on instead of this one."))))
        }
        joins[id] = attempt
        attempt.expiry = loop.scheduleTask(in: .seconds(Int64(max(1, timeoutSeconds)))) { [weak self] () -> Void in
            self?.assumeIsolated { $0.expire(id) }
        }
        dial()
        askForMembers()
        return id
    }

    private func hold(_ answer: CheckedContinuation<TourID, any Error>, for id: UInt64) {
        if let result = unheardJoins.removeValue(forKey: id) { return answer.resume(with: result) }
        guard let attempt = joins[id] else { return answer.resume(throwing: CancellationError()) }
        attempt.answer = answer
    }

    /// Ends an attempt with its timers, dials and links.
    func finish(_ attempt: JoinAttempt, _ result: Result<TourID, any Error>) {
        joins[attempt.id] = nil
        attempt.expiry?.cancel()
        for host in attempt.hosts.keys { connections[host]?.connection.close(saying: .closing) }
        if let answer = attempt.answer { answer.resume(with: result) } else { unheardJoins[attempt.id] = result }
        attempt.answer = nil
    }

    private func expire(_ id: UInt64) {
        guard let attempt = joins[id] else { return }
        let nobody = NodeError("no-member-found", Phrase("Nobody of this tour was found."))
        finish(attempt, .failure(attempt.refusal ?? nobody))
    }

    /// Nobody awaits the result any more.
    private func cancelJoin(_ id: UInt64) {
        guard let attempt = joins[id] else { return }
        finish(attempt, .failure(CancellationError()))
    }

    /// Fails every join in progress: the node is stopping.
    package func endJoins() {
        for attempt in joins.values {
            finish(attempt, .failure(NodeError("stopping", Phrase("The node was stopped before anybody let us in."))))
        }
        for session in sessions.values {
            session.endNameWait()
            session.endStandingWaits()
        }
    }

    /// A tour's name arrives with its log, a moment after the first link: waits for it briefly. Several members may
    /// have named the tour; the newest name counts.
    private func nameArrived(in tour: TourID) async {
        guard let session = sessions[tour], !session.isNamed, !isStopping else { return }
        let timer = loop.scheduleTask(in: Self.nameWaitMax) { [weak self] () -> Void in
            self?.assumeIsolated { $0.endNameWait(in: tour) }
        }
        await withCheckedContinuation { (named: CheckedContinuation<Void, Never>) in session.nameWait = named }
        timer.cancel()
    }

    private func endNameWait(in tour: TourID) { sessions[tour]?.endNameWait() }

    private static let nameWaitMax: TimeAmount = .seconds(2)
}
