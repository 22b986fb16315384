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
    /// - Parameter guidesOnly: nobody but the guides sees it.
    /// - Throws: `text-too-long`, `no-guides`, and why nothing can be written to the tour.
    package func raiseAlarm(_ text: String, guidesOnly: Bool = false, in tour: String?) async throws -> AlarmView {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        try DraftText.check(text, bytesMax: Limits.alarmTextBytesMax, .message(.alarmTooLong))
        let known = guidesOnly ? session.asides.alarms : session.alarms
        if let own = known.latest(of: session.own), isOpen(own, session),
            text.isEmpty || own.alarm.text == text
        {
            _ = try resend(own.id.hex, in: session.tour.hex)
            return alarm(own, session, guidesOnly: guidesOnly)
        }
        let near = Set(session.gossip.neighbours.values).sorted().prefix(Limits.alarmNearMax).map(\.prefix)
        let alarm = Alarm(text: text, fix: ownFix(in: session), near: near, battery: Battery.percent())
        let content =
            try guidesOnly ? session.aside(.alarm(alarm), with: session.own, by: session.own) : .alarm(alarm)
        try await write(content: content, in: session)
        recordUse(of: session)
        let raised = guidesOnly ? session.asides.alarms : session.alarms
        guard let own = raised.latest(of: session.own) else { throw NodeError.busy }
        return self.alarm(own, session, guidesOnly: guidesOnly)
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
        let (entry, guidesOnly) = try alarm(id, in: session)
        guard entry.header.author == session.own ? word == .found : session.rank.leads else {
            throw NodeError.notAllowed
        }
        let lost = entry.header.author
        let answer = Content.alarmAnswer(AlarmAnswer(alarm: entry.id, word: word))
        let content = try guidesOnly ? session.aside(answer, with: lost, by: session.own) : answer
        try await write(content: content, in: session)
        let answered = guidesOnly ? session.asides.alarms : session.alarms
        return alarm(answered.latest(of: lost) ?? entry, session, guidesOnly: guidesOnly)
    }

    /// The latest alarm of each member, the newest first; those that stand come before the others.
    /// - Parameter guest: the guest of this node who looks; nil: its own member.
    package func alarms(_ tour: String?, as guest: MemberID? = nil) throws -> [AlarmView] {
        let session = try session(tour)
        let views = entries(of: session, as: guest ?? session.own)
            .map { alarm($0.entry, session, guidesOnly: $0.guidesOnly) }
        return views.filter(\.open) + views.filter { !$0.open }
    }

    /// Everybody's, and those to the guides alone as far as this reader sees them; the newest first.
    private func entries(
        of session: TourSession, as reader: MemberID
    ) -> [(entry: AlarmState.Entry, guidesOnly: Bool)] {
        let seen = session.asides.alarms.all.filter { session.mayRead($0, reader) }
        return (session.alarms.all.map { ($0, false) } + seen.map { ($0, true) })
            .sorted { ($0.entry.header.clock, $0.entry.id) > ($1.entry.header.clock, $1.entry.id) }
    }

    /// Finds an alarm by the first digits of its id, or by its author; of an author who called twice the one that
    /// stands, of two such the later one.
    private func alarm(
        _ name: String, in session: TourSession
    ) throws -> (entry: AlarmState.Entry, guidesOnly: Bool) {
        let all = entries(of: session, as: session.own)
        let byID = all.filter { name.count >= 6 && $0.entry.id.hex.hasPrefix(name.lowercased()) }
        if let found = byID.first, byID.count == 1 { return found }
        if let member = try? member(name, in: session) {
            let own = all.filter { $0.entry.header.author == member.id }
            if let found = own.first(where: { isOpen($0.entry, session) }) ?? own.first { return found }
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

    private func alarm(_ entry: AlarmState.Entry, _ session: TourSession, guidesOnly: Bool) -> AlarmView {
        AlarmView(entry, isOpen: isOpen(entry, session), guidesOnly: guidesOnly, in: session, session.view(store))
    }

    /// The alarms that stand and that this node's member sees.
    func openAlarms(in session: TourSession) -> [AlarmView] {
        entries(of: session, as: session.own)
            .map { alarm($0.entry, session, guidesOnly: $0.guidesOnly) }
            .filter(\.open)
    }

    /// The alarms that stand and that everybody sees: a roll shows no other, so that it is one everywhere and tells
    /// nobody who called the guides alone.
    func openAlarms(toAll session: TourSession) -> [AlarmView] {
        session.alarms.all.map { alarm($0, session, guidesOnly: false) }.filter(\.open)
    }
}
