import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// How much of everybody's disk our log uses, and how much it may. Source: `Protocol/05-events.md`, "Share".
extension TourSession {
    /// Whether our log has room for one more event of this class.
    /// - Parameter governs: the event may use the reserved part of the share.
    func hasRoom(for eventClass: EventClass, governs: Bool = false) -> Bool {
        machine.hasRoom(for: eventClass, governs: governs)
    }

    /// How much of our share is used up, in percent; 100 when no message fits any more.
    var shareUsed: Int { min(100, machine.ownSize.sealed * 100 / LogShare.ofTour.sealed) }
}

extension TourNode {
    /// What the doctor finds for each tour in which we, or another member, can write little more.
    var shareFindings: [Finding] {
        sessions.values.sorted { $0.tour < $1.tour }.filter(\.isActive).flatMap { session -> [Finding] in
            let name = session.record.name
            let used = session.shareUsed
            let own: [Finding] =
                if !session.hasRoom(for: .chat) {
                    [.shareFull(name)]
                } else if used >= Self.shareWarning {
                    [.shareUsed(percent: used, name)]
                } else {
                    []
                }
            let view = session.view(store)
            let others = session.group.roster.active.map(\.id)
                .filter { $0 != session.own && session.gossip.isFull($0) }.sorted()
                .map { Finding.memberShareFull(view.distinctName(of: $0), tour: name) }
            let mayLead = session.group.roster.rank(of: session.own)?.leads == true
            let guiding: [Finding] = mayLead && !session.hasRoom(for: .control) ? [.guidingFull(name)] : []
            return own + guiding + others
        }
    }

    /// In percent: from here on `doctor` warns.
    private static let shareWarning = 90
}
