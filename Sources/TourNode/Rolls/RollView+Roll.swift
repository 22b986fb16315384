import TourAPI
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

extension RollCallState.Roll {
    /// Whether it is of the last day.
    func isRecent(in session: TourSession) -> Bool { session.isRecent(first.place.clock, of: first.author) }

    /// Whether members are still to answer it.
    func isOpen(in session: TourSession) -> Bool { end == nil && isRecent(in: session) && session.isActive }
}

extension RollView {
    /// A roll call, and who has answered it.
    /// - Parameters:
    ///   - isOpen: whether it still stands.
    ///   - lost: the members whose alarms stand.
    init(
        _ roll: RollCallState.Roll, isOpen: Bool, lost: Set<MemberID>, in session: TourSession, _ view: TourView
    ) {
        let now = NodeClock.now
        let buddies = Set(session.rolls.buddies.first { $0.contains(session.own.prefix) } ?? [])
        let people = session.group.roster.members.values.lazy.filter { !$0.isArchive }.map {
            RollCallState.Person(id: $0.id, admittedAt: $0.admittedAt, isActive: $0.isActive)
        }
        let standings = session.rolls.standings(in: roll, of: people, isOpen: isOpen, lost: lost)
        let entries = standings.map { standing in
            let (member, said) = (standing.member, standing.said)
            let by = said.flatMap { $0.author == member ? nil : view.distinctName(of: $0.author) }
            return RollView.Entry(
                memberID: member.hex, name: view.name(of: member), namesake: view.namesake(of: member),
                state: standing.state, by: by, seen: said?.isSeen ?? false,
                at: said.map { Timestamp.text(milliseconds: $0.place.clock.milliseconds) },
                near: session.isReachable(member, now: now),
                buddy: buddies.contains(member.prefix) && member != session.own,
                guestBy: GuestHost(of: member, in: session, view))
        }
        let sorted = entries.sorted { ($0.state.order, $0.name, $0.memberID) < ($1.state.order, $1.name, $1.memberID) }
        let own = entries.first { $0.memberID == session.own.hex }
        let others = Set(roll.calls.map(\.author)).subtracting([roll.first.author])
        let text = roll.calls.map(\.call.text).first { !$0.isEmpty } ?? ""
        let unshown = roll.calls.filter { !$0.call.text.isEmpty && $0.call.text != text }.map { call in
            Unshown(name: view.distinctName(of: call.author), text: call.call.text, mine: call.author == session.own)
        }
        self.init(
            id: roll.first.place.id.hex, calls: roll.calls.map(\.place.id.hex), memberID: roll.first.author.hex,
            name: view.distinctName(of: roll.first.author), alsoBy: others.map(view.distinctName(of:)).sorted(),
            text: text, unshown: unshown,
            at: Timestamp.text(milliseconds: roll.first.place.clock.milliseconds),
            until: Timestamp.text(milliseconds: roll.until),
            overdue: isOpen && roll.until < NodeClock.wallMilliseconds, open: isOpen,
            endedAt: roll.end.map { Timestamp.text(milliseconds: $0.place.clock.milliseconds) },
            endedBy: roll.end.map { view.distinctName(of: $0.author) },
            leads: session.rank.leads, asked: isOpen && own?.state == .missing,
            here: entries.count { $0.state == .here }, all: entries.count, members: sorted)
    }
}

extension RollView.State {
    fileprivate var order: Int {
        switch self {
        case .lost: 0
        case .missing: 1
        case .late: 2
        case .here: 3
        }
    }
}
