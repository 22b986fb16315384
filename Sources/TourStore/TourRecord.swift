import TourCrypto
import TourModel

/// This device's record of a tour that it belongs to.
package struct TourRecord: Equatable, Sendable {
    /// The tour, by which the record is found.
    package let tour: TourID
    /// Our own member id in this tour.
    package var ownMember: MemberID
    /// Private keys and epoch keys, opaque to the store; sealed at rest.
    package var secrets: SecretBytes
    /// The user's name for the tour; sealed at rest.
    package var name: String
    /// Milliseconds since 1970 of the last use, which decides the order of `tours()`.
    package var usedAt: Int64
    /// Whether the node opens links for this tour; a tour that was left keeps its history.
    package var active: Bool
    /// Messages up to this clock were displayed to the user.
    package var readThrough: LogicalClock

    package init(
        tour: TourID, ownMember: MemberID, secrets: SecretBytes, name: String, usedAt: Int64, active: Bool = true,
        readThrough: LogicalClock = .zero
    ) {
        self.tour = tour
        self.ownMember = ownMember
        self.secrets = secrets
        self.name = name
        self.usedAt = usedAt
        self.active = active
        self.readThrough = readThrough
    }
}
