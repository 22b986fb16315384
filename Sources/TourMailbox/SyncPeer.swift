import TourModel

/// The node as a sync sees it: reads what is on its disk, and accepts what arrives.
package protocol SyncPeer: Sendable {
    /// Each author's head on the disk, cut where its log ends.
    func heads() async -> [MemberID: UInt64]

    /// Of these logs the ones that are behind here, with the last event held: only of authors that the roster knows.
    func behind(_ heads: [MemberID: UInt64]) async -> [MemberID: UInt64]

    /// Events of one log, in order, at least one if there is any.
    func events(of author: MemberID, from first: UInt64, through last: UInt64, bytesMax: Int) async -> [Event]

    /// Control events after these heads, those ahead of their logs included, in the tour's order.
    func controls(behind heads: [MemberID: UInt64]) async -> [Event]

    /// The introduction of this tour and member to a server that does not know them.
    func introduction() async -> Introduction

    /// Whether a server's archive is a member of the tour.
    func hasArchive() async -> Bool

    /// The keys of these epochs that we hold and that this archive may have, wrapped for it; at most
    /// `Limits.epochKeysMax`. None for a member that is no archive.
    func keys(_ epochs: [EpochID], forArchive archive: MemberID) async -> [WrappedEpoch]

    /// Exact bytes of control events, unchecked.
    func receive(controls: [[UInt8]]) async

    /// Returns when the sound events are on the disk, or storing them has failed.
    func receive(runs: [Run]) async

    /// The server's answer: its heads, and its time.
    func record(heads: [MemberID: UInt64], at time: ServerTime) async

    func record(progress: SyncProgress) async
}

/// For `POST /groups`, if this member leads, and `POST /auth/member`.
package struct Introduction: Sendable {
    /// Exact bytes of the genesis.
    package var genesis: [UInt8]
    /// Exact bytes of the control events on which the roster depends.
    package var controls: [[UInt8]]
    /// Whether this member may register the tour.
    package var leads: Bool

    package init(genesis: [UInt8], controls: [[UInt8]], leads: Bool) {
        self.genesis = genesis
        self.controls = controls
        self.leads = leads
    }
}

/// The progress of a sync.
package struct SyncProgress: Hashable, Sendable {
    /// Events received from the server, and how many more than we it had at the start.
    package var pulled: UInt64 = 0
    /// Events that the server had more than we at the start.
    package var pullTotal: UInt64 = 0
    /// Events that the server accepted, and how many more than it we had.
    package var pushed: UInt64 = 0
    /// Events that we had more than the server.
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
    /// The largest number in place of an overflow: a server may claim any heads, as often as it likes.
    func adding(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// Kept from one sync of a tour to the next, while the node runs.
package struct SyncMemory: Sendable {
    /// The server's last frontier, and the mark by which it can say that nothing changed.
    var frontier: FrontierAnswer?
    var mark: String?
    /// How far the server's control events were read.
    package var controlPlace: UInt64 = 0
    /// Events that the server rejects for good, with its codes. No later event of the same log is pushed.
    package internal(set) var refused: [EventID: String] = [:]
    var blocked: [MemberID: UInt64] = [:]
    /// Control events that the server accepted ahead of their logs.
    var early: Set<EventID> = []

    package init() {}

    /// Whether no event of this log after this one can be pushed.
    package func isBlocked(_ author: MemberID, through sequence: UInt64) -> Bool {
        blocked[author].map { $0 <= sequence.adding(1) } ?? false
    }
}
