import TourModel

/// A member's position, by its own word.
package struct MemberPosition: Encodable, Hashable, JSONObject {
    /// Degrees, WGS 84.
    package var latitude: Double
    /// Degrees, WGS 84.
    package var longitude: Double
    /// Nil: the receiver did not say.
    @Nullable package var accuracyMetres: UInt32?
    /// When the member's receiver measured it.
    package var fixedAt: String
    /// Seconds since then; at least the time since its row arrived here.
    package var ageSeconds: Int
    /// At most three minutes old.
    package var live: Bool
    /// When the member stops sharing its position.
    package var until: String
    /// From here; nil when this node does not know its own position.
    @Nullable package var distanceMetres: Int?
    /// Degrees from north over east; nil also at the same place.
    @Nullable package var bearingDegrees: Int?
    /// The same as one of eight directions.
    @Nullable package var direction: String?
}
