import TourModel

/// Whether this node shares its position. Source: `Protocol/Schema/local-api.yaml`, `Sharing`.
package struct SharingStatus: Encodable, JSONObject {
    /// Whether a sharing is in progress.
    package var sharing: Bool
    /// When the sharing ends; nil: nothing is shared.
    @Nullable package var until: String?
    /// The position sent last.
    @Nullable package var position: FixView?
    /// Why no newer position is sent.
    @Nullable package var problem: Problem?
}
