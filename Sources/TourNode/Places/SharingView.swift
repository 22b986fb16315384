import TourModel
import TourPosition

/// A position, as answers show it. Names and shapes: `Protocol/Schema/local-api.yaml`, `Fix`.
package struct FixView: Encodable, Equatable, Sendable {
    /// Degrees, WGS 84.
    package var latitude: Double
    /// Degrees, WGS 84.
    package var longitude: Double
    /// Nil: the receiver did not say.
    @Nullable package var accuracyMetres: UInt32?
    /// When the receiver measured it.
    @Nullable package var fixedAt: String?

    init(_ fix: Fix) {
        latitude = fix.coordinate.degreesNorth
        longitude = fix.coordinate.degreesEast
        accuracyMetres = fix.accuracyMetres == 0 ? nil : fix.accuracyMetres
        fixedAt = fix.fixedAt.map { Timestamp.text(milliseconds: $0) }
    }
}

/// Whether this node shares its position. `TourPresentation` makes the answer of it.
package struct SharingView: Sendable {
    /// Whether a sharing is in progress.
    package var sharing: Bool
    /// When the sharing ends; nil: nothing is shared.
    package var until: String?
    /// The position sent last.
    package var position: FixView?
    /// Why no newer position is sent.
    package var problem: PositionFault?
}

/// A member's position, by its own word.
package struct MemberPosition: Encodable, Sendable {
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
    @Nullable package var direction: Wind?
}
