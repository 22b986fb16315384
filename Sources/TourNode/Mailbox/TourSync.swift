import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourRuntime
import TourStore
import TourWire
import TourWords

/// How one tour stands with the server. Belongs to its `TourSession`.
struct TourSync {
    var plan = SyncPlan()
    var memory = SyncMemory()
    /// The sync in progress.
    var task: Task<Void, Never>?
    /// Follows the server's live stream.
    var live: Task<Void, Never>?
    var progress = SyncProgress()
    /// Why the last sync failed; nil if it went well.
    var problem: APIError?
    /// When the last sync ended.
    var endedAt: Instant?
    /// The server's time of its last answer, in milliseconds since 1970.
    var answeredAt: Int64?
    /// When that answer arrived, by our clock.
    var heardAt: Instant?
    /// How far the server is known to have each log: by anybody's word, and by its own.
    var known: [MemberID: UInt64] = [:]
    var told: [MemberID: UInt64] = [:]
    /// How many events were stored at the last check for new ones.
    var seenTotal: UInt64 = 0
    var seenOwn: UInt64 = 0
    /// The newest row of each member about the server, and when it arrived.
    var rows: [MemberID: (row: ClaimRow, counter: UInt64, at: Instant)] = [:]
    /// The heads at the server that our rows and others' have announced.
    var spread: [MemberID: UInt64] = [:]
    var rowAt: Instant?
    /// Where the next row continues, if one row cannot name all authors.
    var rowTurn = 0
    /// Links that we have sent the rows on.
    var introduced: Set<LinkID> = []
    /// Observers of the sync.
    var watchers: [Int: AsyncStream<SyncReport>.Continuation] = [:]
    var nextWatcher = 0

    /// 0 to 100; 0 until a sync knows how much there is to do.
    var percent: Int { task != nil && progress == SyncProgress() ? 0 : progress.percent }

    /// Nil: the server has not answered since the start.
    var secondsSinceAnswer: Int? { heardAt.map { Int((NodeClock.now - $0).microseconds / 1_000_000) } }
}

extension TourSession {
    func restoreSync(_ heads: [MemberID: (known: UInt64, told: UInt64)]) {
        sync.known = heads.mapValues(\.known)
        sync.told = heads.mapValues(\.told).filter { $0.value > 0 }
        sync.spread = sync.known
        machine.receipts.restoreServer(through: sync.told[own] ?? 0)
    }

    /// Events stored here that no server is known to have.
    var unsynced: UInt64 {
        gossip.stored.heads.reduce(0) { sum, head in
            let known = sync.known[head.key] ?? 0
            return sum + (head.value > known ? head.value - known : 0)
        }
    }

    /// Whether the server lacks events that this node would push.
    var lacksAtServer: Bool {
        let ends = group.roster.ends
        return gossip.stored.heads.contains { author, head in
            let last = min(head, ends[author] ?? .max)
            return last > sync.told[author] ?? 0 && !sync.memory.isBlocked(author, through: sync.told[author] ?? 0)
        }
    }
}

/// The progress of a sync, for its observers. Shape: `Protocol/Schema/local-api.yaml`.
package struct SyncReport: Encodable, Sendable {
    /// Where the tour's syncs stand.
    package enum State: String, Encodable, Sendable {
        case syncing, synced, failed
    }

    /// Why a sync failed.
    package struct Problem: Encodable, Sendable {
        package var code: String
        package var message: Phrase

        init(_ fault: APIError) {
            code = fault.code
            message = fault.phrase
        }

        init(_ fault: NotebookRunError) {
            code = fault.code
            message = fault.phrase
        }
    }

    package var state: State
    /// 0 to 100.
    package var percent: Int
    /// Events received in this sync.
    package var pulled: UInt64
    /// Events sent in this sync.
    package var pushed: UInt64
    /// Events to pull and to push, as far as known.
    package var total: UInt64
    /// Events that no server is known to have, and events that the server rejects.
    package var unsynced: UInt64
    /// Events that the server rejects.
    package var refused: Int
    /// Why the last sync failed; nil if it went well.
    @Nullable package var problem: Problem?
}
