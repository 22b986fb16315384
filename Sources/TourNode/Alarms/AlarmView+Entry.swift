import TourAPI
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

extension AlarmView {
    /// An alarm, and who has it and answered it.
    init(_ entry: AlarmState.Entry, isOpen: Bool, guidesOnly: Bool, in session: TourSession, _ view: TourView) {
        let author = entry.header.author
        let people = session.group.roster.people
        let guides = people.filter { $0.isActive && $0.rank.leads && $0.id != author }
        let reached = guides.filter { $0.id == session.own || Self.has($0.id, entry, session) }
        let near = entry.alarm.near.compactMap { prefix in people.first { $0.id.prefix == prefix }?.id }
        self.init(
            id: entry.id.hex, memberID: author.hex, name: view.distinctName(of: author),
            by: GuestHost(of: author, in: session, view), mine: author == session.own,
            open: isOpen, guidesOnly: guidesOnly, text: entry.alarm.text,
            at: Timestamp.text(milliseconds: entry.header.clock.milliseconds),
            location: entry.alarm.fix.map { FixView($0) }, near: near.map(view.distinctName(of:)),
            batteryPercent: entry.alarm.battery,
            answers: entry.answers.sorted { ($0.value.clock, $0.key) < ($1.value.clock, $1.key) }.map {
                member, answer in
                AlarmView.Answer(
                    memberID: member.hex, name: view.distinctName(of: member), answer: answer.word.word,
                    at: Timestamp.text(milliseconds: answer.clock.milliseconds))
            },
            answered: entry.answers[session.own]?.word.word,
            leads: session.rank.leads && author != session.own, guides: guides.count, guidesReached: reached.count)
    }

    /// Whether a member is known to have an alarm: its claims say so, or it has answered the alarm.
    private static func has(_ member: MemberID, _ entry: AlarmState.Entry, _ session: TourSession) -> Bool {
        entry.answers[member] != nil
            || session.machine.receipts.state.receipt(of: entry.header, for: member, storedAt: 0).state != .missing
    }
}
