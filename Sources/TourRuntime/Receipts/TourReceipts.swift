import TourGroup
import TourModel
import TourWire

/// How far messages have come, and when that is worked out again.
package struct TourReceipts: Sendable {
    /// What is known.
    package private(set) var state: ReceiptState
    private var schedule = StatusSchedule()

    init(_ state: ReceiptState) { self.state = state }

    /// When the next pass over the statuses is due; nil while nothing has changed.
    var dueAt: Instant? { schedule.dueAt }

    /// - Returns: whether a pass is due.
    mutating func consumeDue(now: Instant) -> Bool { schedule.consume(now: now) }

    /// Something changed that others' claims will show as well.
    mutating func recordChange(now: Instant) { schedule.recordChange(now: now) }

    /// The roster changed: the statuses of old messages depend on who was a member when they were written.
    mutating func recordMembers(_ roster: Roster) {
        state.recordMembers(roster.members.mapValues(\.admittedAt), people: Set(roster.people.map(\.id)))
    }

    /// A member has these events of the logs as they are stored here.
    /// - Parameter written: the last sequence of our own log.
    mutating func record(_ heads: [PrefixedHead], of member: MemberID, written: UInt64, _ step: inout TourStep) {
        state.record(heads, of: member, at: step.time.wallMicroseconds)
        recordClaim(written: written, &step)
    }

    /// A member has read up to here, as its newest claim says; or the user of this node has.
    mutating func recordRead(_ clock: LogicalClock, by member: MemberID, written: UInt64, _ step: inout TourStep) {
        guard state.recordRead(clock, by: member, at: step.time.wallMicroseconds) else { return }
        recordClaim(written: written, &step)
    }

    /// A server holds our log up to here.
    mutating func recordServer(through sequence: UInt64, written: UInt64, _ step: inout TourStep) {
        state.recordServer(through: sequence)
        recordClaim(written: written, &step)
    }

    private mutating func recordClaim(written: UInt64, _ step: inout TourStep) {
        let delivered = state.delivered
        schedule.recordClaim(isAuthorWaiting: delivered < written, &step)
    }

    /// An earlier run learnt that a server holds our log up to here.
    package mutating func restoreServer(through sequence: UInt64) { state.recordServer(through: sequence) }

    /// The changes since the last call, to be stored.
    package mutating func drainUnsaved() -> [MemberID: [UInt8]] { state.drainUnkept() }

    /// Works out how far messages have come.
    /// - Parameters:
    ///   - authors: those to look at, and the end of each one's log.
    ///   - first: finds the first message of an author from some clock on.
    /// - Returns: per author the sequences whose status changed, and the marks to store.
    mutating func refresh(
        of authors: [MemberID: UInt64], first: ReceiptState.Search
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] { state.refresh(authors: authors, first: first) }
}

extension Roster {
    /// Everybody who was a member when the event was written and still is, its author apart.
    package func readers(of header: EventHeader) -> [Member] {
        people.filter { $0.id != header.author && $0.admittedAt <= header.clock }
    }
}
