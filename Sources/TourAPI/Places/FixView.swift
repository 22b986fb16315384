import TourModel

/// A position, as answers show it. Names and shapes: `Protocol/Schema/local-api.yaml`, `Fix`.
package struct FixView: Encodable, Hashable, JSONObject {
    /// Degrees, WGS 84.
    package var latitude: Double
    /// Degrees, WGS 84.
    package var longitude: Double
    /// Nil: the receiver did not say.
    @Nullable package var accuracyMetres: UInt32?
    /// When the receiver measured it.
    @Nullable package var fixedAt: String?
}
