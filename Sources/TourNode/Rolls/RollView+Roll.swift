import TourAPI
import TourGroup
import TourModel
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
    ///   - lost: the members whose alarms stand, in hexadecimal digits.
    init(
        _ roll: RollCallState.Roll, isOpen: Bool, lost: Set<String>, in session: TourSession, _ view: TourView
    ) {
        let now = NodeClock.now
        let (inTime, late) = (session.rolls.said(in: roll), session.rolls.said(in: roll, afterTheEnd: true))
        let unseen = Set(roll.end?.end.missing ?? [])
        let buddies = Set(session.rolls.buddies.first { $0.contains(session.own.prefix) } ?? [])
        // Members who joined after the end were not called; members who left since then were still there or missing.
        let people = session.group.roster.members.values.filter { member in
            guard !member.isArchive else { return false }
            if isOpen { return member.isActive }
            let isNamed = inTime[member.id.prefix] != nil || unseen.contains(member.id.prefix)
            let dayAfter = roll.first.place.clock.milliseconds + Limits.rollLifetimeMilliseconds
            let end = roll.end?.place.clock ?? LogicalClock(milliseconds: dayAfter)
            return member.admittedAt <= end && (member.isActive || isNamed)
        }
        let entries = people.map { member in
            let prefix = member.id.prefix
            let isLost = lost.contains(member.id.hex) && (isOpen || unseen.contains(prefix))
            let early = inTime[prefix].flatMap { $0.isHere ? $0 : nil }
            let said = early ?? late[prefix].flatMap { $0.isHere ? $0 : nil }
            let state: RollView.State =
                isLost ? .lost : said == nil ? .missing : unseen.contains(prefix) ? .late : .here
            return RollView.Entry(
                memberID: member.id.hex, name: view.name(of: member.id), namesake: view.namesake(of: member.id),
                state: state, by: said.flatMap { $0.author == member.id ? nil : view.distinctName(of: $0.author) },
                seen: said?.isSeen ?? false,
                at: said.map { Timestamp.text(milliseconds: $0.place.clock.milliseconds) },
                near: session.isReachable(member.id, now: now),
                buddy: buddies.contains(prefix) && member.id != session.own,
                guestBy: GuestHost(of: member.id, in: session, view))
        }
        let sorted = entries.sorted { ($0.state.order, $0.name, $0.memberID) < ($1.state.order, $1.name, $1.memberID) }
        let own = entries.first { $0.memberID == session.own.hex }
        let others = Set(roll.calls.map(\.author)).subtracting([roll.first.author])
        self.init(
            id: roll.first.place.id.hex, calls: roll.calls.map(\.place.id.hex), memberID: roll.first.author.hex,
            name: view.distinctName(of: roll.first.author), alsoBy: others.map(view.distinctName(of:)).sorted(),
            text: roll.calls.map(\.call.text).first { !$0.isEmpty } ?? "",
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
