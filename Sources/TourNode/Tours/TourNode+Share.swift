import TourGossip
import TourGroup
import TourModel
import TourStore
import TourWire
import TourWords

// What our log takes of everybody's disk, and what it may. Source: `Protocol/05-events.md`, "Share".
extension TourSession {
    /// Our log with what is on its way to the disk.
    private var ownSize: LogSize {
        var size = gossip.logSize(of: own)
        size.add(unstoredSize)
        return size
    }

    /// Whether our log takes one more event of this class.
    /// - Parameter governs: one of those for which a part of the share is kept.
    func hasRoom(for eventClass: EventClass, governs: Bool = false) -> Bool {
        (governs ? LogShare.ofTour : .ordinary).takes(eventClass, after: ownSize)
    }

    /// - Returns: what these events of ours add to the log.
    /// - Parameter governs: they are of those for which a part of the share is kept.
    /// - Throws: `NodeError`, code `share-full`, when others would refuse one of them, or it would take of that part.
    func sizeWithin(share events: [Event], governs: Bool) throws(NodeError) -> LogSize {
        var whole = ownSize
        let share = governs ? LogShare.ofTour : .ordinary
        guard whole.add(events[...], within: share) == events.count else {
            let isGuiding = events.contains { $0.header.eventClass == .control }
            throw isGuiding ? .guidingFull(record.name) : .shareFull(record.name)
        }
        whole.subtract(ownSize)
        return whole
    }

    /// Of a hundred, how much of our share is used up; 100 when nothing more can be said.
    var shareUsed: Int { min(100, ownSize.sealed * 100 / LogShare.ofTour.sealed) }
}

extension TourNode {
    /// A line for each tour in which little can be said any more, by us or by somebody else.
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

    /// Of a hundred: from here on `doctor` says it.
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

    /// What leading takes has a share of its own, which others use up too, by coming and going.
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
