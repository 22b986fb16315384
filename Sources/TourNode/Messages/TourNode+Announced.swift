import TourGroup
import TourModel
import TourStore
import TourWire

// What leaders, and whoever is lost, tell everybody: alarms, roll calls and what is urgent, kept at hand beside the
// store. Names and the like: `TourSession.decorate`.
extension TourNode {
    /// Takes what events of class 1 say.
    func noteAnnounced(_ events: some Sequence<Event>, _ session: TourSession) {
        var silent: [EventID] = []
        for event in events where event.header.eventClass == .announcement {
            if session.noteAnnounced(event, archived: nil) { silent.append(event.id) }
        }
        guard !silent.isEmpty else { return }
        // There is nothing of them to be displayed.
        do { _ = try store.markSeen(session.tour, silent) } catch { count(error) }
    }

    /// Looks through what is stored, when keys or ranks come.
    func readAnnounced(of session: TourSession) {
        do { try session.readAnnounced(store) } catch { count(error) }
    }
}

extension TourSession {
    /// What leaders told in the last day is among so many events, or somebody floods the tour.
    private static let announcedMax = 4_096

    /// - Returns: whether it is nothing that is displayed as a message.
    @discardableResult
    func noteAnnounced(_ event: Event, archived: [UInt8]?) -> Bool {
        let header = event.header
        let place = RollBook.Place(clock: header.clock, id: event.id)
        let isWithdrawn = withdrawals.contains(Withdrawal(event: event.id, author: header.author))
        switch try? group.open(event, archived: archived) {
        case .alarm(let alarm):
            alarms.note(alarm, header, event.id)
            if isWithdrawn { alarms.withdraw(event.id, by: header.author) }
        case .alarmAnswer(let answer):
            alarms.note(
                AlarmBook.Answer(word: answer.word, clock: header.clock), to: answer.alarm, by: header.author,
                leads: led(header))
            return true
        case .rollCall(let call):
            if !isWithdrawn { rolls.note(call, at: place, by: header.author) }
        case .rollEnd(let end):
            rolls.note(end, at: place, by: header.author)
            return true
        case .buddies(let buddies):
            rolls.note(buddies, at: place)
            return true
        case .announcement(let announcement):
            if !isWithdrawn { urgent.note(announcement, header, event.id) }
        default: break
        }
        return false
    }

    /// Whether the author of an event leads at its place.
    func led(_ header: EventHeader) -> Bool {
        group.roster.members[header.author]?.rank(at: header.sequence).leads ?? false
    }

    /// - Parameter since: milliseconds since 1970; nil: as long ago as anything of it can stand.
    func readAnnounced(_ store: TourStore, since: Int64? = nil) throws(StoreError) {
        let since = since ?? NodeClock.wallMilliseconds - Limits.alarmLifetimeMilliseconds
        let query = MessageQuery(
            afterPosition: .start(of: LogicalClock(milliseconds: max(since, 0))), limit: Self.announcedMax,
            last: true, classes: [.announcement], ends: group.roster.ends)
        for stored in try store.messages(tour, query) { noteAnnounced(stored.event, archived: stored.archived) }
    }
}
