import TourGroup
import TourModel
import TourStore
import TourWire

// Notes to users about changes of a tour's roster. They are not stored.
extension TourNode {
    func news(of session: TourSession) -> RosterNews {
        let view = session.view(store)
        return RosterNews(
            group: session.group, own: session.own, tourName: session.record.name, state: session.state,
            name: { view.name(of: $0) })
    }

    /// The roster may have changed: followers get notes, and the present state of their own messages.
    func notifyOfRosterChange(in session: TourSession) {
        let old = session.knownRoster
        let roster = session.group.roster
        guard old != roster else { return }
        session.knownRoster = roster
        let news = news(of: session)
        let now = NodeClock.now
        for member in news.arrivals(since: old) { session.arrivals[member] = now }
        for note in news.notes(since: old) { notify(of: note, session) }
        notifyOfVoidActs(news, session)
        notifyOfOwnEnd(since: old, session)
        reviewAnnounced(of: session, since: old)
    }

    private func notifyOfVoidActs(_ news: RosterNews, _ session: TourSession) {
        let acts = session.group.voidActs(of: session.own)
        for act in acts where !session.knownVoid.contains(act.event.id) {
            if let voided = news.voided(act) {
                notify(of: TourNote(.voided(voided), session.own, isOwn: true, session.state), session)
            }
        }
        session.knownVoid = Set(acts.map(\.event.id))
    }

    /// Shows our own events as void if they no longer count.
    private func notifyOfOwnEnd(since old: Roster, _ session: TourSession) {
        let before = old.members[session.own]?.end?.sequence ?? .max
        let end = session.group.roster.members[session.own]?.end?.sequence ?? .max
        guard before != end, min(before, end) < .max else { return }
        notifyOfChange(session.own, min(before, end)...UInt64.max, session)
    }

    /// Once a second: notes new members by name, or soon without one if the name does not arrive.
    func notifyOfNewMembers(of session: TourSession, now: Instant) {
        guard !session.arrivals.isEmpty else { return }
        let due = session.arrivals.filter { session.names[$0.key] != nil || now - $0.value >= Self.nameDelayMax }
        guard !due.isEmpty else { return }
        for member in due.keys { session.arrivals[member] = nil }
        let present = due.keys.filter { session.group.roster.members[$0]?.isActive == true }.sorted()
        if present.count > Self.arrivalsNamedMax {
            return notify(of: TourNote(.manyJoined(present.count), nil, isOwn: false, session.state), session)
        }
        let view = session.view(store)
        for member in present {
            let isArchive = session.group.roster.members[member]?.isArchive == true
            let change = isArchive ? TourChange.archiveJoined : .joined(view.name(of: member))
            notify(of: TourNote(change, member, isOwn: false, session.state), session)
        }
    }

    private static let nameDelayMax: Duration = .seconds(5)
    private static let arrivalsNamedMax = 8

    func notify(of note: TourNote, _ session: TourSession) {
        for follower in followers.values where follower.tour == session.tour {
            follower.record(note)
            follower.wake()
        }
        switch note.kind {
        case .removed, .forked: moments?.yield(note.isOwn ? .removed(note.change) : .member(note.change))
        case .joined, .left, .back: moments?.yield(.member(note.change))
        case .role, .closed, .void, .straggler, .overtaken: break
        }
    }
}

/// An event in a node's life other than a message, for observers such as a terminal. Its words are in
/// `TourPresentation`.
package enum NodeMoment: Hashable, Sendable {
    /// The node was locked, unlocked or wiped.
    case locked, unlocked, wiped
    /// It joined a tour.
    case joined(String)
    /// It was removed from a tour.
    case removed(TourChange)
    /// Another member joined, left, or was removed.
    case member(TourChange)
    /// The first link in a tour, to this member.
    case linked(String, tour: String)
    /// The last link in a tour ended.
    case alone(String, seeksOthers: Bool)
    /// Another device with our key in a tour is online.
    case twin(String)

    /// A stable name of the kind of event.
    package var kind: String {
        switch self {
        case .locked: "locked"
        case .unlocked: "unlocked"
        case .wiped: "wiped"
        case .joined: "joined"
        case .removed: "removed"
        case .member: "member"
        case .linked: "linked"
        case .alone: "alone"
        case .twin: "twin"
        }
    }
}
