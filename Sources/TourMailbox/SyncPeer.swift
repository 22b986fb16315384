import TourModel

/// The node, as a sync sees it: what is on its disk, and what takes what comes.
package protocol SyncPeer: Sendable {
    /// Each author's head on the disk, cut where its log ends.
    func heads() async -> [MemberID: UInt64]

    /// Of these logs those that are behind, with the last event held: only of authors that the roster knows.
    func behind(_ heads: [MemberID: UInt64]) async -> [MemberID: UInt64]

    /// Events of one log, in order, at least one if there is any.
    func events(of author: MemberID, from first: UInt64, through last: UInt64, bytesMax: Int) async -> [Event]

    /// Control events that stand behind these heads, those ahead of their logs included, in the tour's order.
    func controls(behind heads: [MemberID: UInt64]) async -> [Event]

    /// For `POST /groups`, if this member leads: the genesis, and what the roster rests on.
    func introduction() async -> (genesis: [UInt8], controls: [[UInt8]], leads: Bool)

    /// Whether a server's archive is a member of the tour.
    func hasArchive() async -> Bool

    /// Of these epochs the keys that are held and that this archive may have, wrapped for it; at most
    /// `Limits.epochKeysMax`. None for who is no archive.
    func keys(_ epochs: [EpochID], forArchive archive: MemberID) async -> [WrappedEpoch]

    /// Exact bytes of control events, nothing of them checked.
    func take(controls: [[UInt8]]) async

    /// Comes back when what is sound of them is on the disk, or has failed.
    func take(runs: [Run]) async

    /// The server's answer: what it holds, and when it said so.
    func note(heads: [MemberID: UInt64], at time: ServerTime) async

    func note(progress: SyncProgress) async
}

/// How far a sync is.
package struct SyncProgress: Hashable, Sendable {
    /// Events got from the server, and those that it had more than we at the start.
    package var pulled: UInt64 = 0
    package var pullTotal: UInt64 = 0
    /// Events that it took, and those that we had more.
    package var pushed: UInt64 = 0
    package var pushTotal: UInt64 = 0

    package init() {}

    /// 0 to 100.
    package var percent: Int {
        let (done, total) = (pulled.adding(pushed), pullTotal.adding(pushTotal))
        guard total > 0 else { return 100 }
        return Int(100 * (Double(min(done, total)) / Double(total)))
    }
}

extension UInt64 {
    /// The largest number instead of more: a server may tell of any heads, as often as it likes.
    func adding(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// What lasts from one sync of a tour to the next, while the node runs.
package struct SyncMemory: Sendable {
    /// The server's last frontier, and the mark by which it can say that nothing changed.
    var frontier: FrontierAnswer?
    var mark: String?
    /// How far the server's control events were read.
    package var controlPlace: UInt64 = 0
    /// What the server does not take, and will not: with its code. Nothing behind such an event is pushed.
    package internal(set) var refused: [EventID: String] = [:]
    var blocked: [MemberID: UInt64] = [:]
    /// Control events that it took ahead of their logs.
    var early: Set<EventID> = []

    package init() {}

    /// Whether nothing of this log behind here can be pushed.
    package func isBlocked(_ author: MemberID, through sequence: UInt64) -> Bool {
        blocked[author].map { $0 <= sequence.adding(1) } ?? false
    }
}
