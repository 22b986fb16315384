import TourModel

/// The node's note about a tour, between the messages. Source: `Protocol/Schema/local-api.yaml`, `Note`.
package struct WordedNote: Encodable, Hashable, JSONObject {
    /// `joined`, `left`, `removed`, `back`, `role`, `closed`, `key-forked`, `void`, `straggler` or
    /// `overtaken`.
    package var kind: String
    /// The member concerned; nil: all.
    @Nullable package var memberID: String?
    /// Whether it concerns this node's member.
    package var me: Bool
    /// In the reader's words.
    package var text: String
    /// The state of the tour for this node now.
    package var state: TourState
}
