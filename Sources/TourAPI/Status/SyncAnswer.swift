import TourModel

/// How a sync with the server goes. Source: `Protocol/Schema/local-api.yaml`, `SyncReport`.
package struct SyncAnswer: Encodable, JSONObject {
    /// `syncing`, `synced` or `failed`.
    package var state: String
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
