import TourAPI
import TourGroup
import TourModel
import TourStore
import TourWire

/// A member's answer about a meeting, and its place in the tour's order.
struct SaidAnswer {
    let answer: MeetingAnswer
    let clock: LogicalClock
}

// Where and when everybody meets: the newest meeting point in the tour's order counts, and of each member its newest
// answer.
extension TourNode {
    /// A meeting point that the user wants to set.
    package struct MeetingDraft: Sendable {
        /// Nil: the place is given in words only.
        package var place: Coordinate?
        /// The name of the place.
        package var label: String
        /// Further words for everybody.
        package var text: String
        /// Milliseconds since 1970.
        package var at: Int64?
        /// After how many seconds it expires; nil: never.
        package var expiresSeconds: Int64?
        /// The absolute path of a picture of the place.
        package var photoPath: String?
        /// The name that the user gave the picture; nil: the path's.
        package var photoName: String?

        package init(
            place: Coordinate?, label: String, text: String, at: Int64?, expiresSeconds: Int64?,
            photoPath: String? = nil
        ) {
            self.place = place
            self.label = label
            self.text = text
            self.at = at
            self.expiresSeconds = expiresSeconds
            self.photoPath = photoPath
        }
    }

    /// The current meeting point. One that has expired says so.
    /// - Returns: nil when there is none, it was cleared, or the tour has ended.
    package func meeting(_ tour: String?) throws -> MeetingView? {
        let session = try session(tour)
        guard session.isActive else { return nil }
        let newest = try meetings(in: session)
        guard let event = newest.first?.event, let meeting = newest.first?.meeting else { return nil }
        let view = session.view(store)
        let answers = session.answers.filter { $0.value.answer.meeting == event.id }
        let people = session.group.roster.people.filter { $0.isActive && $0.id != event.header.author }
        let said = people.compactMap { member in answers[member.id].map { (member.id, $0) } }
            .sorted {
                ($1.1.answer.state.rawValue, view.name(of: $0.0)) < ($0.1.answer.state.rawValue, view.name(of: $1.0))
            }
        let now = NodeClock.wallMilliseconds
        return MeetingView(
            id: event.id.hex, by: view.distinctName(of: event.header.author), text: meeting.text,
            latitude: meeting.place?.degreesNorth, longitude: meeting.place?.degreesEast, label: meeting.label,
            meetAt: meeting.at.map { Timestamp.text(milliseconds: $0) },
            secondsLeft: meeting.at.map { Int(($0 - now) / 1_000) },
            expiresAt: meeting.expiresAt.map { Timestamp.text(milliseconds: $0) },
            expired: meeting.expiresAt.map { $0 <= now } ?? false,
            photo: meeting.photo.map { FileView($0, session.files.progress[event.id]) },
            answers: said.map { member, said in
                MeetingView.Answer(
                    memberID: member.hex, name: view.distinctName(of: member), answer: said.answer.state.word,
                    minutes: said.answer.minutes == 0 ? nil : said.answer.minutes,
                    at: Timestamp.text(milliseconds: said.clock.milliseconds))
            },
            unanswered: people.filter { answers[$0.id] == nil }.map { view.distinctName(of: $0.id) }.sorted(),
            insteadOf: rival(in: newest).map { rival in
                MeetingView.Rival(
                    name: view.distinctName(of: rival.event.header.author),
                    text: rival.meeting.label ?? rival.meeting.text,
                    mine: rival.event.header.author == session.own)
            })
    }

    /// The meeting point of somebody else in whose place the newest one was set so soon that hardly anybody can have
    /// seen both: everybody is told that there were two.
    private func rival(in newest: [(event: Event, meeting: Meeting?)]) -> (event: Event, meeting: Meeting)? {
        guard newest.count > 1, newest[1].event.header.author != newest[0].event.header.author else { return nil }
        return newest[1].meeting.map { (newest[1].event, $0) }
    }

    /// Tells our user when somebody else's meeting point took the place of ours.
    func notifyOfRival(_ arrived: some BidirectionalCollection<Event>, _ session: TourSession) {
        guard session.isActive, session.rank.leads,
            let event = arrived.last(where: { $0.header.eventClass == .announcement && $0.header.author != session.own }
            ),
            case .meeting? = try? session.group.open(event, archived: nil),
            let meeting = try? meeting(session.tour.hex), meeting.id == event.id.hex, let rival = meeting.insteadOf,
            rival.mine
        else { return }
        let change = TourChange.otherMeeting(by: meeting.by, meeting.label ?? meeting.text, insteadOf: rival.text)
        notify(of: TourNote(change, event.header.author, isOwn: true, session.state), session)
    }

    private static let rivalMilliseconds: Int64 = 600_000

    /// Sets the meeting point.
    /// - Throws: `not-allowed` for a member who does not lead; `bad-meeting`, `bad-expiry`, `bad-text`.
    package func meet(_ draft: MeetingDraft, in tour: String?) async throws -> SentMessage {
        let session = try leading(tour)
        guard Meeting.fits(label: draft.label, text: draft.text), !draft.text.looksEmpty else {
            throw NodeError.place(.badMeetingText)
        }
        guard !draft.text.utf8.contains(0), !draft.label.utf8.contains(0) else { throw NodeError.nullInText }
        if let at = draft.at, !(1...LogicalClock.millisecondsMax).contains(at) {
            throw NodeError.place(.badMeetingTime)
        }
        let expiresAt = try Self.expiry(inSeconds: draft.expiresSeconds)
        var meeting = Meeting(
            place: draft.place, label: draft.label.isEmpty ? nil : draft.label, text: draft.text, at: draft.at,
            expiresAt: expiresAt)
        guard let path = draft.photoPath else { return try await send(.meeting(meeting), in: session) }
        let photo = try await photo(at: path, named: draft.photoName, in: session)
        guard Meeting.fits(label: draft.label, text: draft.text, photo: photo) else {
            throw NodeError.place(.meetingTooLong)
        }
        meeting.photo = photo
        let event = try await write(.meeting(meeting), photo, session)
        return SentMessage(id: event.id.hex, seq: event.header.sequence, status: .pending)
    }

    /// Clears the meeting point.
    /// - Throws: as `meet`, and `no-meeting`.
    package func clearMeeting(_ tour: String?) async throws -> SentMessage {
        let session = try leading(tour)
        guard try newestMeeting(in: session) != nil else { throw NodeError.place(.noMeeting) }
        return try await send(.meeting(nil), in: session)
    }

    /// Tells everybody how this node's member is getting on.
    /// - Throws: `bad-answer`, `no-meeting` (there is none, or it has expired).
    package func answerMeeting(_ word: String, minutes: Int?, in tour: String?) async throws {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard let (event, meeting) = try newestMeeting(in: session),
            meeting.expiresAt.map({ $0 > NodeClock.wallMilliseconds }) ?? true
        else { throw NodeError.place(.noMeeting) }
        guard let state = MeetingAnswer.State(word: word), let minutes = UInt32(exactly: minutes ?? 0),
            let answer = MeetingAnswer(meeting: event.id, state: state, minutes: minutes)
        else {
            throw NodeError.place(.badMeetingAnswer(minutesMax: MeetingAnswer.minutesMax))
        }
        try await write(content: .meetingAnswer(answer), in: session)
    }

    /// The tour, if this node's member leads there.
    /// - Throws: `not-allowed`, and why nothing can be written to the tour.
    func leading(_ tour: String?) throws -> TourSession {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        return session
    }

    private func send(_ content: Content, in session: TourSession) async throws -> SentMessage {
        let epoch = try await sealingEpoch(of: session)
        let events = try await write(in: session) { author, wall in
            [author.write(content, under: epoch, wallMilliseconds: wall)]
        }
        recordUse(of: session)
        guard let event = events.first else { throw NodeError.busy }
        return SentMessage(id: event.id.hex, seq: event.header.sequence, status: .pending)
    }

    /// A withdrawn meeting point does not count.
    func newestMeeting(in session: TourSession) throws -> (Event, Meeting)? {
        guard let newest = try meetings(in: session).first else { return nil }
        return newest.meeting.map { (newest.event, $0) }
    }

    /// The newest, and those that were set shortly before it, the newest first. One without a meeting clears those
    /// before it.
    private func meetings(in session: TourSession) throws -> [(event: Event, meeting: Meeting?)] {
        var found: [(event: Event, meeting: Meeting?)] = []
        var query = MessageQuery(
            limit: Self.announcementsAtOnce, last: true, classes: [.announcement], ends: session.group.roster.ends)
        query.order = .clock
        while true {
            let stored = try store.messages(session.tour, query)
            for one in stored.reversed() {
                let event = one.event
                if let newest = found.first?.event.header.clock.milliseconds,
                    newest - event.header.clock.milliseconds > Self.rivalMilliseconds
                {
                    return found
                }
                guard case .meeting(let meeting) = try? session.group.open(event, archived: one.archived),
                    !session.withdrawals.contains(Withdrawal(event: event.id, author: event.header.author))
                else { continue }
                found.append((event, meeting))
            }
            guard stored.count == Self.announcementsAtOnce, let first = stored.first else { return found }
            query.beforePosition = MessagePosition(first.event)
        }
    }

    private static let announcementsAtOnce = 64
}
