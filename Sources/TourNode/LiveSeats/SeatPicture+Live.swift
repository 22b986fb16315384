import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

extension SeatPicture {
    /// What a guest's page shows of a tour, beside the messages.
    init(of member: MemberID, in session: TourSession, _ node: isolated TourNode) throws {
        let view = session.view(node.store, as: member)
        let now = NodeClock.now
        let alarms = try node.alarms(session.tour.hex, as: member)
        let lost = Set(alarms.filter { $0.open && (!$0.guidesOnly || $0.memberID == member.hex) }.map(\.memberID))
        let people = session.group.roster.people
        var meeting = try node.meeting(session.tour.hex)
        meeting?.insteadOf?.mine = false
        var roll = try node.roll(session.tour.hex)
        let own = roll?.members.first { $0.memberID == member.hex }
        let said = session.rolls.rolls.last { $0.first.place.id.hex == roll?.id }
            .flatMap { session.rolls.said(in: $0)[member.prefix] }
        roll?.leads = false
        let isAsked = roll?.open == true && own?.state == .missing
        roll?.asked = isAsked
        let places = roll?.members.indices ?? 0..<0
        for place in places { roll?.members[place].buddy = false }
        let key = session.group.roster.members[member].map { KeyName(identity: $0.identity) }
        self.init(
            tour: session.record.name,
            me: Me(
                member: member.hex, name: view.name(of: member), color: key?.color ?? 0,
                words: key?.description ?? ""),
            people: People(
                reachable: people.count { session.isReachable($0.id, now: now) }, total: people.count,
                list: people.map { person in
                    Person(
                        member: person.id.hex, name: view.name(of: person.id),
                        namesake: view.namesake(of: person.id), role: session.group.roster.roleWord(of: person),
                        color: KeyName(identity: person.identity).color,
                        here: session.isReachable(person.id, now: now),
                        by: person.isGuest ? session.seatBook.host(of: person.id).map(view.name(of:)) : nil,
                        me: person.id == member, lost: lost.contains(person.id.hex))
                }.sorted { ($0.name, $0.member) < ($1.name, $1.member) }),
            meeting: meeting,
            answer: session.answers[member].flatMap { said in
                guard said.answer.meeting.hex == meeting?.id else { return nil }
                return MeetingAnswerView(answer: said.answer.state.word, minutes: Int(said.answer.minutes))
            },
            alarms: alarms.map { alarm in
                var alarm = alarm
                alarm.mine = alarm.memberID == member.hex
                alarm.leads = false
                alarm.answered = nil
                return alarm
            },
            roll: roll,
            rollAnswer: said.flatMap { $0.author == member ? $0.isHere ? "here" : "not-here" : nil },
            urgent: node.urgent(for: member, in: session).compactMap { urgent in
                guard urgent.memberID != member.hex, let id = EventID(hex: urgent.id) else { return nil }
                return Urgent(
                    id: urgent.id, author: urgent.name, text: urgent.text, at: urgent.at,
                    understood: session.urgent.understood(id, by: member) != nil)
            },
            hosts: [], formerHosts: [], programme: nil, quiet: session.quiet.isOn, ended: nil)
    }
}
