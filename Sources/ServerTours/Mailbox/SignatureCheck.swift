import TourCrypto
import TourGroup
import TourModel

/// Checks which events of a push their authors have signed. In a sequence of consecutive events of one log, the last
/// signature proves those before it, as in a run, since an event's id covers its signature. If that fails, each event
/// is checked by itself, so that a bad one never sinks its neighbours.
/// Source: `Protocol/05-events.md`, "Runs".
struct SignatureCheck {
    private(set) var proven: Set<Int> = []
    private(set) var refused: Set<Int> = []

    /// - Parameter events: the events in the order of the push; nil for those that are rejected already.
    /// - Parameter group: events of authors that it does not know end up neither proven nor refused.
    init(_ events: [PushedEvent?], _ group: TourGroup) {
        var stretches: [MemberID: [Int]] = [:]
        for (index, event) in events.enumerated() {
            guard let event, let identity = group.roster.members[event.header.author]?.identity else { continue }
            let author = event.header.author
            if let last = stretches[author]?.last, let before = events[last] {
                if event.header.previous == before.id, event.header.sequence - 1 == before.header.sequence {
                    stretches[author]?.append(index)
                    continue
                }
                close(stretches[author] ?? [], events, identity)
            }
            stretches[author] = [index]
        }
        for (author, stretch) in stretches {
            guard let identity = group.roster.members[author]?.identity else { continue }
            close(stretch, events, identity)
        }
    }

    private mutating func close(_ stretch: [Int], _ events: [PushedEvent?], _ identity: SigningKey) {
        // Control events and announcements also travel alone, so their own signatures must be valid.
        let last = stretch.last
        let alone = stretch.filter { events[$0]?.header.eventClass.isUrgent == true || $0 == last }
        if alone.allSatisfy({ Self.isSigned(events[$0], identity) }) {
            proven.formUnion(stretch)
            return
        }
        for index in stretch {
            if Self.isSigned(events[index], identity) { proven.insert(index) } else { refused.insert(index) }
        }
    }

    /// The control events of a push that have not failed the check.
    func controls(of events: [Result<PushedEvent, PushFault>], _ tour: TourID) -> ControlNews {
        var news = ControlNews()
        for (index, event) in events.enumerated() {
            guard let event = try? event.get(), event.header.eventClass == .control, event.header.tour == tour,
                !refused.contains(index)
            else { continue }
            if proven.contains(index) { news.verified.append(event.event) } else { news.others.append(event.bytes) }
        }
        return news
    }

    static func isSigned(_ event: PushedEvent?, _ identity: SigningKey) -> Bool {
        guard let event else { return false }
        let whole = event.event
        return EventCrypto.verify(whole.headerBytes, signature: whole.signature, author: identity)
    }
}
