import TourModel

/// What guides share as the plan, as a guest's page shows it.
package struct GuestProgramme: Encodable, Equatable, Sendable {
    package var title: String
    package var stops: [Stop]

    /// A stop of the plan.
    package struct Stop: Encodable, Equatable, Sendable {
        package var name: String
        @Nullable package var at: String?
        @Nullable package var note: String?
        /// Degrees; nil: the stop has no place.
        @Nullable package var latitude: Double?
        /// Degrees; nil: the stop has no place.
        @Nullable package var longitude: Double?
    }
}
