import TourGroup
import TourModel

/// Bounds of a device that gives seats. Source: `Protocol/15-seats.md`, "Limits".
package enum SeatLimits {
    /// The most seats of one node.
    package static let seatsMax = 200
    /// Seats unless the owner says otherwise.
    package static let seatsStandard = 30
    /// A pass lets in this many unless the owner says otherwise.
    package static let passUsesStandard = 30
    /// The most uses of a pass.
    package static let passUsesMax = 1_000
    /// The longest time of a pass, in seconds.
    package static let passSecondsMax: Int64 = 30 * 86_400
    /// How long a pass holds unless the owner says otherwise, in seconds: in most tours until somebody ends the tour,
    /// which ends the pass as well.
    package static let passSecondsStandard = passSecondsMax
    /// Wrong digits that a pass takes, of all phones together and however long it holds: one chance in a million that
    /// somebody guesses them.
    package static let digitTriesMax = 100
    /// How long the key of an absent guest is kept.
    package static let absenceMax: Duration = .seconds(86_400)
    /// How long guests may read a tour that has ended, in seconds.
    package static let farewellSeconds: Int64 = 86_400
    /// The most events that a phone keeps until others have them.
    package static let tailMax = SeatTail.eventsMax
    /// Their bytes.
    package static let tailBytesMax = SeatTail.bytesMax
    /// What a guest may write.
    static let writes = TokenBucket.Rate(atOnce: 20, perMinute: 30)
    /// Calls for help that a guest may write beyond that.
    static let calls = TokenBucket.Rate(atOnce: 3, perMinute: 2)
    /// How long a confirmed event may take to the disk.
    static let storeMax: Duration = .seconds(10)
}
