import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourStore
import TourWire
import TourWords

/// How one tour stands with the server. Belongs to its `TourSession`.
struct TourSync {
    var plan = SyncPlan()
    var memory = SyncMemory()
    /// The sync that is under way.
    var task: Task<Void, Never>?
    /// Listens to what the server tells.
    var live: Task<Void, Never>?
    var progress = SyncProgress()
    /// How the last one ended, if not well.
    var problem: APIError?
    /// When the last one ended.
    var endedAt: Instant?
    /// The server's time of its last answer, in milliseconds since 1970.
    var answeredAt: Int64?
    /// When that came, by our clock.
    var heardAt: Instant?
    /// How far the server is known to have each log: by anybody's word, and by its own.
    var known: [MemberID: UInt64] = [:]
    var told: [MemberID: UInt64] = [:]
    /// The last of our own log that the server has shown.
    var ownThrough: UInt64 = 0
    /// Events stored when that was last looked at.
    var seenTotal: UInt64 = 0
    var seenOwn: UInt64 = 0
    /// Each member's word on the server, the newest row, and when it came.
    var rows: [MemberID: (row: ClaimRow, counter: UInt64, at: Instant)] = [:]
    /// What our rows and others' said of the server.
    var spread: [MemberID: UInt64] = [:]
    var rowAt: Instant?
    /// Whose turn it is in rows that cannot name all.
    var rowTurn = 0
    /// Links that the rows were told on.
    var introduced: Set<LinkID> = []
    /// Who watches.
    var watchers: [Int: AsyncStream<SyncReport>.Continuation] = [:]
    var nextWatcher = 0

    /// 0 to 100; before a sync knows how much there is, nothing of it is done.
    var percent: Int { task != nil && progress == SyncProgress() ? 0 : progress.percent }

    /// Nil: the server has not answered since the start.
    var secondsSinceAnswer: Int? { heardAt.map { Int((NodeClock.now - $0).microseconds / 1_000_000) } }
}

extension TourSession {
    func restoreSync(_ heads: [MemberID: (known: UInt64, told: UInt64)]) {
        sync.known = heads.mapValues(\.known)
        sync.told = heads.mapValues(\.told).filter { $0.value > 0 }
        sync.spread = sync.known
        board.noteServer(through: sync.told[own] ?? 0)
    }

    /// Events stored that no server is known to have.
    var unsynced: UInt64 {
        gossip.stored.heads.reduce(0) { sum, head in
            let known = sync.known[head.key] ?? 0
            return sum + (head.value > known ? head.value - known : 0)
        }
    }

    /// The same of what this node would push.
    var lacksAtServer: Bool {
        let ends = group.roster.ends
        return gossip.stored.heads.contains { author, head in
            let last = min(head, ends[author] ?? .max)
            return last > sync.told[author] ?? 0 && !sync.memory.isBlocked(author, through: sync.told[author] ?? 0)
        }
    }
}

/// How a sync goes on, for who watches it. Shape: `Protocol/Schema/local-api.yaml`.
package struct SyncReport: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        case syncing, synced, failed
    }

    package struct Problem: Encodable, Sendable {
        package var code: String
        package var message: Phrase

        init(_ fault: some SpokenFault) {
            code = fault.code
            message = fault.phrase
        }
    }

    package var state: State
    package var percent: Int
    package var pulled: UInt64
    package var pushed: UInt64
    /// Events to be pulled and pushed, as far as is known.
    package var total: UInt64
    /// Events that no server is known to have, and those that it does not take.
    package var unsynced: UInt64
    package var refused: Int
    @Nullable package var problem: Problem?
}
