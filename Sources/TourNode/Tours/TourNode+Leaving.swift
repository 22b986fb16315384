import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Leaving a tour, and letting somebody know. Source: `Protocol/07-joining.md`, "Leaving".
extension TourNode {
    /// Leaves a tour; it stays readable here.
    package func leaveTour(_ tour: String?) async throws {
        let session = try session(tour)
        guard !session.isOurs else {
            throw NodeError.membership(.creatorStays)
        }
        try await write(control: .leave, in: session)
        session.record.active = false
        try save(session)
    }

    /// A peer knows that we left: the tour needs no links of ours any more, also after a restart.
    func leaveWasTold(in session: TourSession) {
        guard session.hasLeft, !session.isLeaveTold else { return }
        session.isLeaveTold = true
        do { try MembershipRecords(store: store, member: session.own).keepLeaveTold() } catch { count(error) }
        advertise()
    }

    /// A peer with our whole log sees that we left, and closes the link. A peer that claims to have all of it and
    /// does not close the link holds another event at its end, which a copy of us wrote: we send our leave by itself,
    /// which shows that the log forks.
    func sendLeave(in session: TourSession, now: Instant) {
        guard session.hasLeft else { return }
        for (link, connection) in session.connections {
            let id = ObjectIdentifier(connection)
            guard connections[id]?.isLeaveTold == false, now - connection.openedAt > Self.leavePatience,
                session.gossip.hasAll(of: session.own, link)
            else { continue }
            connections[id]?.isLeaveTold = true
            connection.send(.control(session.group.leave(of: session.own)))
        }
    }

    private static let leavePatience: Duration = .seconds(5)
}
