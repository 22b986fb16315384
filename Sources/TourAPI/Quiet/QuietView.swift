import TourModel

/// Whether only guides may write. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct QuietView: Encodable, Hashable, JSONObject {
    /// Only guides may write now.
    package var on: Bool
    /// The guide who said so, or who let everybody write again; nil: nobody ever did either.
    @Nullable package var by: String?
    /// When, by that guide's clock.
    @Nullable package var at: String?
    /// This node's member may change it.
    package var leads: Bool
}
