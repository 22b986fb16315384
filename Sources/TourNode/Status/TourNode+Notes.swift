import TourGroup
import TourModel
import TourStore
import TourWire
import TourWords

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
            if let words = news.words(of: act) {
                notify(of: TourNote(.void, session.own, isOwn: true, words, session.state), session)
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
            let text = Phrase(
                present.count, one: "\(present.count) member has joined.",
                other: "\(present.count) members have joined.")
            return notify(of: TourNote(.joined, nil, isOwn: false, text, session.state), session)
        }
        let view = session.view(store)
        for member in present {
            let isArchive = session.group.roster.members[member]?.isArchive == true
            let text = isArchive ? Self.archiveWords : Phrase("\(view.name(of: member)) has joined.")
            notify(of: TourNote(.joined, member, isOwn: false, text, session.state), session)
        }
    }

    private static let archiveWords = Phrase(
        "The server reads along from now on: a guide invited its archive.")
    private static let nameDelayMax: Duration = .seconds(5)
    private static let arrivalsNamedMax = 8

    func notify(of note: TourNote, _ session: TourSession) {
        for follower in followers.values where follower.tour == session.tour {
            follower.record(note)
            follower.wake()
        }
        switch note.kind {
        case .removed, .forked: moments?.yield(NodeMoment(note.me ? .removed : .member, note.text))
        case .joined, .left, .back: moments?.yield(NodeMoment(.member, note.text))
        case .role, .closed, .void, .straggler: break
        }
    }
}

/// An event in a node's life other than a message, for observers such as a terminal.
package struct NodeMoment: Hashable, Sendable {
    /// The kind of event.
    package enum Kind: String, Sendable {
        case locked, unlocked, wiped, joined, removed
        /// Another member joined, left, or was removed.
        case member
        /// The first link in a tour, and the end of the last one.
        case linked, alone
        /// Another device with our key is online.
        case twin
    }

    package var kind: Kind
    /// The words for the observer.
    package var phrase: Phrase

    /// The phrase in English.
    package var text: String { phrase.english }

    package init(_ kind: Kind, _ phrase: Phrase) {
        self.kind = kind
        self.phrase = phrase
    }
}
