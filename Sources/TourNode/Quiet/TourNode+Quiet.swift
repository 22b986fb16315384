import TourAPI
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// Quiet: only those who lead write. Source: `Protocol/05-events.md`, "Quiet".
extension TourNode {
    /// Whether only guides may write, and who said so last.
    package func quiet(_ tour: String?) throws -> QuietView {
        let session = try session(tour)
        return QuietView(session, session.view(store))
    }

    /// Lets only guides write from now on, or everybody again.
    /// - Throws: `not-allowed` for members who do not lead, and why nothing can be written to the tour.
    package func setQuiet(_ isOn: Bool, in tour: String?) async throws -> QuietView {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        if session.quiet.isOn != isOn { try await write(content: .quiet(isOn), in: session) }
        recordUse(of: session)
        return QuietView(session, session.view(store))
    }

    /// The most messages that one change shows or hides at once on an open page.
    private static let reviewedMax = 1_000

    /// Tells readers of messages that count otherwise than before.
    func reviewQuiet(of session: TourSession) {
        guard let range = session.announced.quietReview else { return }
        session.announced.quietReview = nil
        let query = MessageQuery(
            afterPosition: .start(of: range.lowerBound), limit: Self.reviewedMax, last: true, classes: [.chat, .file])
        guard let messages = try? store.messages(session.tour, query) else { return }
        for message in messages where range.contains(message.event.header.clock) {
            let header = message.event.header
            notifyOfChange(header.author, header.sequence...header.sequence, session)
        }
        markSilent(messages.filter { session.withholds($0.event) }.map(\.event.id), session)
    }

    /// Messages that nobody is shown are not new to anybody.
    func markWithheld(_ arrived: [ArrivedEvent], _ session: TourSession) {
        markSilent(arrived.lazy.map(\.stored.event).filter(session.withholds).map(\.id), session)
    }
}

extension TourSession {
    /// Whether a message of somebody else is shown to nobody, since only those who led could write then.
    func withholds(_ event: Event) -> Bool {
        event.header.author != own && quiet.withholds(event.header, event.id, leads: led(event.header))
    }

    /// - Throws: `quiet` where this member may not write to everybody now.
    func checkQuiet(for member: MemberID) throws(NodeError) {
        guard quiet.isOn, group.roster.members[member]?.rank.leads != true else { return }
        throw .message(.quiet)
    }
}

extension QuietView {
    init(_ session: TourSession, _ view: TourView) {
        let last = session.quiet.last
        self.init(
            on: session.quiet.isOn, by: last.map { view.distinctName(of: $0.author) },
            at: last.map { Timestamp.text(milliseconds: $0.clock.milliseconds) }, leads: session.rank.leads)
    }
}
