import TourAPI
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// Roll calls. Source: `Protocol/05-events.md`, "Roll calls".
extension TourNode {
    /// The time for answers, unless the caller gives another, in seconds.
    package static let rollSecondsUsual = 600

    /// Asks everybody to answer. While a roll call stands, sends that one again, if it has these words or none are
    /// given.
    /// - Parameter seconds: the time for answers, in `Limits.rollSeconds`.
    /// - Throws: `not-allowed`, `text-too-long`, `bad-time`, `roll-stands` (one with other words stands), and why
    ///   nothing can be written to the tour.
    package func callRoll(_ text: String, seconds: Int, in tour: String?) async throws -> RollView {
        let session = try leading(tour)
        try DraftText.check(text, bytesMax: Limits.rollTextBytesMax, .message(.rollTooLong))
        guard Limits.rollSeconds.contains(seconds) else {
            throw NodeError.roll(.badTime)
        }
        if let open = newest(in: session), open.isOpen(in: session) {
            let standing = view(of: open, session)
            guard text.isEmpty || text == standing.text else {
                throw NodeError.roll(.stands(by: standing.name, standing.text))
            }
            _ = try resend(open.first.place.id.hex, in: session.tour.hex)
            return view(of: open, session)
        }
        try await write(content: .rollCall(RollCall(text: text, seconds: seconds)), in: session)
        recordUse(of: session)
        return try view(of: newestRoll(of: session), session)
    }

    /// Says that members are there, or that they are not after all.
    /// - Parameter names: the members; none: this node's own.
    /// - Throws: `no-roll`, `unknown-member`, `ambiguous-name`, `not-allowed` (only leaders and buddies answer for
    ///   others).
    package func answerRoll(here: Bool, of names: [String], in tour: String?) async throws -> RollView {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        let roll = try newestRoll(of: session)
        guard names.count <= Limits.rollAnswerMembersMax else {
            throw NodeError.roll(.tooManyMembers)
        }
        let members = try names.map { try member($0, in: session).id.prefix }.filter { $0 != session.own.prefix }
        let buddies = Set(session.rolls.buddies.first { $0.contains(session.own.prefix) } ?? [])
        guard session.rank.leads || members.allSatisfy(buddies.contains) else { throw NodeError.notAllowed }
        let about = names.isEmpty || members.count == names.count ? members : members + [session.own.prefix]
        let said = session.rolls.said(in: roll, afterTheEnd: roll.end != nil)
        let isNews = (about.isEmpty ? [session.own.prefix] : about).contains { member in
            said[member].map { $0.isHere != here } ?? true
        }
        if isNews {
            let answer = RollAnswer(
                call: roll.first.place.id, state: here ? .here : .notHere, members: about)
            try await write(content: .rollAnswer(answer), in: session)
            recordUse(of: session)
        }
        return try view(of: newestRoll(of: session), session)
    }

    /// Ends the roll call that stands, and records for everybody who is missing.
    /// - Throws: `no-roll`, `not-allowed`.
    package func endRoll(in tour: String?) async throws -> RollView {
        let session = try leading(tour)
        let roll = try newestRoll(of: session)
        guard roll.isOpen(in: session) else { throw NodeError.roll(.none) }
        let missing = view(of: roll, session).members.filter { $0.state != .here }
        let ids = missing.compactMap { MemberID(hex: $0.memberID)?.prefix }.prefix(Limits.rollMissingMax)
        try await write(content: .rollEnd(RollEnd(call: roll.first.place.id, missing: Array(ids))), in: session)
        return try view(of: newestRoll(of: session), session)
    }

    /// The newest roll call of the last day, open or not; nil: there is none.
    package func roll(_ tour: String?) throws -> RollView? {
        let session = try session(tour)
        guard let roll = newest(in: session) else { return nil }
        return view(of: roll, session)
    }

    /// All roll calls that are held, the newest first.
    package func rolls(_ tour: String?) throws -> [RollView] {
        let session = try session(tour)
        return session.rolls.rolls.reversed().map { view(of: $0, session) }
    }

    /// Tells our user when somebody else turns out to have called before us.
    func notifyOfEarlierRoll(_ arrived: some Collection<Event>, _ session: TourSession) {
        guard let roll = newest(in: session), roll.isOpen(in: session), roll.first.author != session.own,
            let own = roll.calls.first(where: { $0.author == session.own }),
            arrived.contains(where: { $0.id == roll.first.place.id })
        else { return }
        let view = session.view(store)
        let change = TourChange.otherRoll(
            by: view.distinctName(of: roll.first.author), self.view(of: roll, session).text, insteadOf: own.call.text)
        notify(of: TourNote(change, roll.first.author, isOwn: true, session.state), session)
    }

    private func newestRoll(of session: TourSession) throws -> RollCallState.Roll {
        guard let roll = newest(in: session) else { throw NodeError.roll(.none) }
        return roll
    }

    /// The newest of the last day. One that is dated ahead does not hide it.
    private func newest(in session: TourSession) -> RollCallState.Roll? {
        session.rolls.rolls.last { $0.isRecent(in: session) }
    }

    private func view(of roll: RollCallState.Roll, _ session: TourSession) -> RollView {
        RollView(
            roll, isOpen: roll.isOpen(in: session),
            lost: Set(openAlarms(toAll: session).compactMap { MemberID(hex: $0.memberID) }), in: session,
            session.view(store))
    }
}
