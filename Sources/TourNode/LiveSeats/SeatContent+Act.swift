import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

extension SeatContent {
    /// Writes a guest's act as the content of its seat.
    /// - Throws: what is wrong with it; `not-for-guests`.
    init(_ act: SeatAct, by member: MemberID, _ session: TourSession, _ store: TourStore) throws {
        guard session.isActive else { throw session.inactivity }
        let view = session.view(store, as: member)
        switch act {
        case .text(let text, let replyTo):
            guard !text.looksEmpty else { throw NodeError.message(.empty) }
            try DraftText.check(text, bytesMax: Limits.textBytesMax, .message(.tooLong))
            let answered = try replyTo.map { try view.answered($0) }
            let isWord = session.reader(ofAnswerTo: answered, by: member) != nil
            if !isWord { try session.checkQuiet(for: member) }
            let word = try isWord ? session.word(to: member, text: text, answered, by: member) : nil
            self = .content(word ?? .text(text, replyTo: answered), nil)
        case .word(let text, let replyTo):
            guard !text.looksEmpty else { throw NodeError.message(.empty) }
            let answered = try replyTo.map { try view.answered($0) }
            self = .content(try session.word(to: member, text: text, answered, by: member), nil)
        case .understood(let id):
            let id = try view.event(idPrefix: id).event.id
            guard session.urgent.entries.contains(where: { $0.id == id }) else { throw NodeError.message(.notUrgent) }
            self = .content(.understood(id), nil)
        case .meetingAnswer(let meeting, let answer, let minutes):
            guard let state = MeetingAnswer.State(word: answer), let minutes = UInt32(exactly: minutes),
                let answer = MeetingAnswer(
                    meeting: try view.event(idPrefix: meeting).event.id, state: state, minutes: minutes)
            else { throw NodeError.place(.badMeetingAnswer(minutesMax: MeetingAnswer.minutesMax)) }
            self = .content(.meetingAnswer(answer), nil)
        case .alarm(let text, let battery, let guidesOnly):
            try DraftText.check(text, bytesMax: Limits.alarmTextBytesMax, .message(.alarmTooLong))
            // Members whom the host hears are near its guests as well.
            let near = ([session.own] + Set(session.gossip.neighbours.values).sorted()).prefix(Limits.alarmNearMax)
            let battery = battery.flatMap { (0...100).contains($0) ? $0 : nil }
            let alarm = Content.alarm(Alarm(text: text, near: near.map(\.prefix), battery: battery))
            self = .content(try guidesOnly ? session.aside(alarm, with: member, by: member) : alarm, nil)
        case .found(let id):
            let guidesOnly = session.alarms.latest(of: member)?.id.hex != id
            let alarms = guidesOnly ? session.asides.alarms : session.alarms
            guard let alarm = alarms.latest(of: member)?.id, alarm.hex == id else {
                throw NodeError.message(.unknownAlarm(id))
            }
            let found = Content.alarmAnswer(AlarmAnswer(alarm: alarm, word: .found))
            self = .content(try guidesOnly ? session.aside(found, with: member, by: member) : found, nil)
        case .rollAnswer(let roll, let isHere):
            let id = try view.event(idPrefix: roll).event.id
            guard session.rolls.rolls.contains(where: { $0.calls.contains { $0.place.id == id } }) else {
                throw NodeError.roll(.none)
            }
            self = .content(.rollAnswer(RollAnswer(call: id, state: isHere ? .here : .notHere)), nil)
        case .withdraw(let id):
            let stored = try view.event(idPrefix: id)
            guard stored.event.header.author == member else { throw NodeError.message(.notOurs) }
            self = .content(.withdrawal(stored.event.id), nil)
        case .name(let name):
            let name = DisplayName.tidy(name)
            guard DisplayName.isAllowed(name) else { throw NodeError.badName }
            self = .content(.profile(name: name), nil)
        case .leave: self = .leave
        case .picture: throw NodeError.seat(.unknownUpload)
        }
    }
}
