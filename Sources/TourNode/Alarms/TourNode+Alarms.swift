import TourAPI
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Alarms of lost members. Source: `Protocol/05-events.md`, "Alarms".
extension TourNode {
    /// Raises an alarm: this node's member is lost. It goes to everybody, ahead of everything else.
    ///
    /// Raised again with the same words while it stands, the same alarm is sent again; other words make a new one.
    /// - Throws: `text-too-long`, and why nothing can be written to the tour.
    package func raiseAlarm(_ text: String, in tour: String?) async throws -> AlarmView {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        try DraftText.check(text, bytesMax: Limits.alarmTextBytesMax, .message(.alarmTooLong))
        if let own = session.alarms.latest(of: session.own), isOpen(own, session),
            text.isEmpty || own.alarm.text == text
        {
            _ = try resend(own.id.hex, in: session.tour.hex)
            return alarm(own, session)
        }
        let near = Set(session.gossip.neighbours.values).sorted().prefix(Limits.alarmNearMax).map(\.prefix)
        let alarm = Alarm(text: text, fix: ownFix(in: session), near: near, battery: Battery.percent())
        try await write(content: .alarm(alarm), in: session)
        recordUse(of: session)
        guard let own = session.alarms.latest(of: session.own) else { throw NodeError.busy }
        return self.alarm(own, session)
    }

    /// The last position that this node's member shared, while it shares one.
    private func ownFix(in session: TourSession) -> Fix? {
        let wall = NodeClock.wallMilliseconds
        return session.gossip.sharedPositions(NodeClock.now)
            .first { $0.0.member == session.own && $0.0.until > wall }?.0.fix
    }

    /// - Parameter word: `seen`, `on-my-way`, `wait` or `found`.
    /// - Throws: `unknown-alarm`, `bad-answer`, `not-allowed` (only members who lead and the lost member itself may
    ///   answer).
    package func answerAlarm(_ id: String, _ word: String, in tour: String?) async throws -> AlarmView {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard let word = AlarmAnswer.Word(word: word) else {
            throw NodeError.message(.badAlarmAnswer)
        }
        let entry = try alarm(id, in: session)
        guard entry.header.author == session.own ? word == .found : session.rank.leads else {
            throw NodeError.notAllowed
        }
        try await write(content: .alarmAnswer(AlarmAnswer(alarm: entry.id, word: word)), in: session)
        return alarm(session.alarms.latest(of: entry.header.author) ?? entry, session)
    }

    /// The latest alarm of each member, the newest first; those that stand come before the others.
    package func alarms(_ tour: String?) throws -> [AlarmView] {
        let session = try session(tour)
        let views = session.alarms.all.map { alarm($0, session) }
        return views.filter(\.open) + views.filter { !$0.open }
    }

    /// Finds an alarm by the first digits of its id, or by its author.
    private func alarm(_ name: String, in session: TourSession) throws -> AlarmState.Entry {
        let byID = session.alarms.all.filter { name.count >= 6 && $0.id.hex.hasPrefix(name.lowercased()) }
        if let entry = byID.first, byID.count == 1 { return entry }
        if let member = try? member(name, in: session), let entry = session.alarms.latest(of: member.id) {
            return entry
        }
        throw NodeError.message(.unknownAlarm(name))
    }

    private func isOpen(_ entry: AlarmState.Entry, _ session: TourSession) -> Bool {
        // With the tour everything ends that waits for an answer.
        session.isActive
            && entry.stands(
                isMember: session.group.roster.members[entry.header.author]?.isActive == true,
                isRecent: session.isRecent(entry.header.clock, of: entry.header.author, isAlarm: true))
    }

    private func alarm(_ entry: AlarmState.Entry, _ session: TourSession) -> AlarmView {
        AlarmView(entry, isOpen: isOpen(entry, session), in: session, session.view(store))
    }

    func openAlarms(in session: TourSession) -> [AlarmView] {
        session.alarms.all.map { alarm($0, session) }.filter(\.open)
    }
}
