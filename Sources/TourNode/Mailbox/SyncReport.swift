import TourMailbox
import TourModel

/// How one tour stands with the server.
package struct SyncStanding: Sendable {
    /// Whether a sync is in progress.
    package var isRunning: Bool
    /// Why the last sync failed; nil if it went well.
    package var problem: APIError?
    /// The server's time of its last answer, in milliseconds since 1970.
    package var answeredAt: Int64?
    /// Nil: the server has not answered since the start.
    package var secondsSinceAnswer: Int?
    /// 0 to 100, of the sync in progress.
    package var percent: Int
    /// Events that the server rejects, with its codes.
    package var refused: [EventID: String]
}

/// The progress of a sync, for its observers. `TourPresentation` makes the answer of it.
package struct SyncReport: Sendable {
    /// Where the tour's syncs stand.
    package enum State: String, Encodable, Sendable {
        case syncing, synced, failed
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
    package var problem: APIError?
}
