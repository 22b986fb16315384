import TourModel
import TourWords

/// A place as answers show it. Names and shapes: `Protocol/Schema/local-api.yaml`, `Fix`.
package struct FixView: Encodable, Sendable {
    package var latitude: Double
    package var longitude: Double
    @Nullable package var accuracyMetres: UInt32?
    @Nullable package var fixedAt: String?

    init(_ fix: Fix) {
        latitude = fix.coordinate.degreesNorth
        longitude = fix.coordinate.degreesEast
        accuracyMetres = fix.accuracyMetres == 0 ? nil : fix.accuracyMetres
        fixedAt = fix.fixedAt.map { Timestamp.text(milliseconds: $0) }
    }
}

/// Whether this node shares where it is.
package struct SharingView: Encodable, Sendable {
    package struct Problem: Encodable, Sendable {
        package var code: String
        package var message: Phrase
    }

    package var sharing: Bool
    @Nullable package var until: String?
    /// What was said last.
    @Nullable package var position: FixView?
    /// Why nothing newer is said.
    @Nullable package var problem: Problem?
}

/// Where a member is, or was, by its own word.
package struct MemberPosition: Encodable, Sendable {
    package var latitude: Double
    package var longitude: Double
    @Nullable package var accuracyMetres: UInt32?
    package var fixedAt: String
    package var ageSeconds: Int
    /// Not older than three minutes.
    package var live: Bool
    /// When the member stops sharing it.
    package var until: String
    /// From here; nil when this node does not know where it is.
    @Nullable package var distanceMetres: Int?
    @Nullable package var bearingDegrees: Int?
    @Nullable package var direction: Wind?
}
