import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// Announcements of leaders and of lost members: alarms, roll calls and urgent messages, held in memory beside the
// store. Names and the like: `TourSession.decorate`.
extension TourNode {
    /// Records the contents of class 1 events.
    func recordAnnounced(_ events: some Sequence<Event>, _ session: TourSession) {
        var silent: [EventID] = []
        for event in events where event.header.eventClass == .announcement {
            if session.recordAnnounced(event, archived: nil) { silent.append(event.id) }
        }
        markSilent(silent, session)
        reviewQuiet(of: session)
    }

    /// Marks events that display nothing as displayed.
    func markSilent(_ events: [EventID], _ session: TourSession) {
        guard !events.isEmpty else { return }
        do { _ = try store.markSeen(session.tour, events) } catch { count(error) }
    }

    /// Reads the stored announcements, when keys arrive.
    func readAnnounced(of session: TourSession) {
        do { markSilent(try session.readAnnounced(store), session) } catch { count(error) }
        reviewQuiet(of: session)
    }

    /// Rebuilds the books: logs end elsewhere now, or somebody had another rank than we knew.
    func reviewAnnounced(of session: TourSession, since old: Roster) {
        let members = session.group.roster.members
        let isOther = old.members.contains { id, before in
            guard let now = members[id] else { return true }
            return now.end != before.end || now.rank != before.rank
        }
        guard isOther else { return }
        session.announced = Announced()
        do {
            for profile in try store.profileEvents(session.tour) {
                session.decorate(profile.event, archived: profile.archived)
            }
        } catch {
            count(error)
        }
        readAnnounced(of: session)
    }
}

extension TourSession {
    /// How many of the last announcements are searched.
    private static let announcedMax = 4_096

    /// - Returns: whether the event displays nothing as a message.
    @discardableResult
    func recordAnnounced(_ event: Event, archived: [UInt8]?) -> Bool {
        let header = event.header
        let place = RollCallState.Place(clock: header.clock, id: event.id)
        let isWithdrawn = withdrawals.contains(Withdrawal(event: event.id, author: header.author))
        switch try? group.open(event, archived: archived) {
        case .alarm(let alarm):
            alarms.record(alarm, header, event.id)
            if isWithdrawn { alarms.withdraw(event.id, by: header.author) }
        case .alarmAnswer(let answer):
            alarms.record(
                AlarmState.Answer(word: answer.word, clock: header.clock, sequence: header.sequence), to: answer.alarm,
                by: header.author, leads: led(header))
            return true
        case .rollCall(let call):
            if !isWithdrawn { rolls.record(call, at: place, by: header.author) }
        case .rollEnd(let end):
            rolls.record(end, at: place, by: header.author)
            return true
        case .buddies(let buddies):
            rolls.record(buddies, at: place)
            return true
        case .aside(let aside):
            guard let word = group.open(aside, header, for: own, by: machine.wrapping.pairs) else { return true }
            return record(word, event, isWithdrawn: isWithdrawn)
        case .quiet(let isOn):
            let change = QuietState.Change(clock: header.clock, id: event.id, author: header.author, isOn: isOn)
            if let range = quiet.record(change) {
                announced.quietReview =
                    announced.quietReview.map {
                        min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound)
                    } ?? range
            }
            return true
        case .announcement(let announcement):
            if !isWithdrawn { urgent.record(announcement, header, event.id) }
        default: break
        }
        return false
    }

    /// Records a word between one person and the guides.
    /// - Returns: whether it displays nothing to this node's own member.
    private func record(_ word: AsideWord, _ event: Event, isWithdrawn: Bool) -> Bool {
        let header = event.header
        asides.record(word, header, event.id)
        switch word.content {
        case .alarm(let alarm):
            asides.alarms.record(alarm, header, event.id)
            if isWithdrawn { asides.alarms.withdraw(event.id, by: header.author) }
        case .alarmAnswer(let answer):
            asides.alarms.record(
                AlarmState.Answer(word: answer.word, clock: header.clock, sequence: header.sequence), to: answer.alarm,
                by: header.author, leads: led(header))
            return true
        default: break
        }
        return !group.mayRead(word, by: header.author, own)
    }

    /// Whether the author of an event leads at the event's place.
    func led(_ header: EventHeader) -> Bool {
        group.roster.members[header.author]?.rank(at: header.sequence).leads ?? false
    }

    /// - Returns: the events that display nothing as a message.
    @discardableResult
    func readAnnounced(_ store: TourStore) throws(StoreError) -> [EventID] {
        let query = MessageQuery(
            limit: Self.announcedMax, last: true, classes: [.announcement], ends: group.roster.ends)
        return try store.messages(tour, query).filter { recordAnnounced($0.event, archived: $0.archived) }
            .map(\.event.id)
    }
}
