import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire
import TourWords

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
    /// A line for each tour in which we, or another member, can write little more.
    var shareChecks: [Check] {
        sessions.values.sorted { $0.tour < $1.tour }.filter(\.isActive).flatMap { session -> [Check] in
            let name = session.record.name
            let used = session.shareUsed
            let own: [Check] =
                if !session.hasRoom(for: .chat) {
                    [.share(.failed, NodeError.shareFull(name).phrase)]
                } else if used >= Self.shareWarning {
                    [.share(.warning, Phrase("\(used) % of your share of “\(name)” is used up."))]
                } else {
                    []
                }
            let view = session.view(store)
            let others = session.group.roster.active.map(\.id)
                .filter { $0 != session.own && session.gossip.isFull($0) }.sorted()
                .map {
                    Check.share(.warning, Phrase("The share of \(view.distinctName(of: $0)) in “\(name)” is full."))
                }
            let mayLead = session.group.roster.rank(of: session.own)?.leads == true
            let guiding: [Check] =
                mayLead && !session.hasRoom(for: .control)
                ? [
                    Check(
                        name: "share", state: .warning, message: NodeError.guidingFull(name).phrase,
                        advice: Phrase("Another guide lets people in: give somebody that role."))
                ] : []
            return own + guiding + others
        }
    }

    /// In percent: from here on `doctor` warns.
    private static let shareWarning = 90
}

extension TourNode.Check {
    fileprivate static func share(_ state: State, _ message: Phrase) -> TourNode.Check {
        TourNode.Check(
            name: "share", state: state, message: message,
            advice: Phrase(
                "Who leaves the tour and comes back with a new code has a new share; what was written stays."))
    }
}

extension NodeError {
    static func shareFull(_ name: String) -> NodeError {
        NodeError(
            "share-full",
            Phrase(
                """
                Your share of “\(name)” is full: your messages there take \(LogShare.ofTour.sealed / 1_048_576) \
                MiB of everybody's disk, and nobody takes more. Leave, and come back with a new code.
                """))
    }

    /// Leading has a share of its own, which others use up too, by joining and leaving.
    static func guidingFull(_ name: String) -> NodeError {
        NodeError(
            "share-full",
            Phrase(
                """
                Your room for guiding “\(name)” is used up: nobody can come in by you. You can still remove people, \
                end codes and give roles. Make somebody else a guide, who has room of their own.
                """))
    }
}
