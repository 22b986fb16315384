import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport
import TourWire
import TourWords

// Going out of a tour, and telling somebody. Source: `Protocol/07-joining.md`, "Leaving".
extension TourNode {
    package func leaveTour(_ tour: String?) async throws {
        let session = try session(tour)
        guard !session.isOurs else {
            throw NodeError(
                "creator-stays", Phrase("You made this tour: end it for everybody with `tour-chat tour close`."))
        }
        try await write(control: .leave, in: session)
        session.record.active = false
        try save(session)
    }

    /// A peer knows that we left: the tour needs no links of ours any more, after a restart neither.
    func leaveWasTold(in session: TourSession) {
        guard session.hasLeft, !session.isLeaveTold else { return }
        session.isLeaveTold = true
        do { try store.setSetting(Self.leaveSetting(session.own), value: [1]) } catch { count(error) }
        advertise()
    }

    /// Where the store keeps that it was told. Whoever comes back has another member id.
    static func leaveSetting(_ member: MemberID) -> String { "leave-told/\(member.hex)" }

    /// The control events that a peer lacks. Our own leave is left out: who hears of it takes nothing more from us, so
    /// it comes as the end of our log, behind what we wrote before.
    func controls(of session: TourSession, missingFrom index: [EventName]) -> [[UInt8]] {
        let missing = session.group.controls(missingFrom: index)
        return session.hasLeft ? missing.filter { !Self.isLeave($0, of: session.own) } : missing
    }

    private static func isLeave(_ bytes: [UInt8], of own: MemberID) -> Bool {
        guard let raw = try? RawEvent(decoding: bytes), raw.header.author == own,
            case .leave? = try? ControlBody(decoding: raw.body)
        else { return false }
        return true
    }

    /// Whoever has our whole log sees that we left, and closes the link. Who has it, as it says, and does not close has
    /// another event at its end, which a copy of us wrote: our leave is told by itself, and shows that the log forks.
    func tellLeave(in session: TourSession, now: Instant) {
        guard session.hasLeft else { return }
        for (link, connection) in session.connections {
            let id = ObjectIdentifier(connection)
            guard connections[id]?.isLeaveTold == false, now - connection.openedAt > Self.leavePatience,
                session.gossip.hasAll(of: session.own, link)
            else { continue }
            connections[id]?.isLeaveTold = true
            let leave = session.group.controls(missingFrom: []).filter { Self.isLeave($0, of: session.own) }
            connection.send(.control(leave))
        }
    }

    private static let leavePatience: Duration = .seconds(5)
}
