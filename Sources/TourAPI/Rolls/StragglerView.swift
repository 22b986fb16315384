import TourModel

/// Members out of reach for longer than this node's user allows. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct StragglerView: Encodable, JSONObject {
    /// A member out of reach.
    package struct Straggler: Encodable, JSONObject {
        package var memberID: String
        package var name: String
        /// Its last sign of life.
        package var lastSeen: String
        /// How many links away it was then.
        @Nullable package var hops: Int?
        /// The last position that it shared.
        @Nullable package var position: MemberPosition?
        /// The device that lets a guest in; nil for a member.
        @Nullable package var by: GuestHost?
    }

    /// Nil: the watch is off.
    @Nullable package var minutes: Int?
    /// The longest away first.
    package var stragglers: [Straggler]
}
