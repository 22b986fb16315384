import TourModel

/// How much of files is on its way on one connection: as much as does not make messages wait. Grows while packets come
/// through as fast as they ever did, and is a single slice while they queue up. Source: `Protocol/11-blobs.md`, "Pace".
package struct BlobPace: Sendable {
    /// What the system says of a connection.
    package struct Reading: Sendable {
        /// Taken by the system, and not sent so far.
        package var unsentBytes: Int
        /// Sent, and not acknowledged.
        package var unacknowledgedBytes: Int
        /// Acknowledged since the connection began.
        package var acknowledgedBytes: UInt64
        /// Smoothed; and the least that was ever seen of it.
        package var roundTrip: Duration
        package var leastRoundTrip: Duration

        package init(
            unsentBytes: Int, unacknowledgedBytes: Int, acknowledgedBytes: UInt64, roundTrip: Duration,
            leastRoundTrip: Duration
        ) {
            self.unsentBytes = unsentBytes
            self.unacknowledgedBytes = unacknowledgedBytes
            self.acknowledgedBytes = acknowledgedBytes
            self.roundTrip = roundTrip
            self.leastRoundTrip = leastRoundTrip
        }

        /// Nothing is on its way.
        package var isIdle: Bool { unsentBytes == 0 && unacknowledgedBytes == 0 }

        /// When it is worth the while to look again.
        package var lookInterval: Duration {
            min(max(roundTrip / 4, Limits.blobLookIntervalMin), Limits.blobLookIntervalMax)
        }
    }

    package enum Verdict: Hashable, Sendable {
        /// A slice may go.
        case goes
        /// Not before something was acknowledged.
        case waits
        /// Packets queue up, and nothing is on its way: one slice may go if no other link of the network has one there.
        case takesTurns
    }

    private static let slice = Limits.slicePayloadBytesMax
    private var window = slice
    /// Up to here it doubles with each round trip; beyond it grows by a slice.
    private var steep = Limits.blobWindowBytesMax
    private var acknowledged: UInt64 = 0

    package init() {}

    package mutating func judge(_ reading: Reading) -> Verdict {
        let news = reading.acknowledgedBytes - min(reading.acknowledgedBytes, acknowledged)
        acknowledged = reading.acknowledgedBytes
        if reading.roundTrip > reading.leastRoundTrip + Limits.blobQueueDelay {
            if window > Self.slice { steep = max(window / 2, Self.slice) }
            window = Self.slice
            return reading.isIdle ? .takesTurns : .waits
        }
        let growth = min(Int(clamping: news), Limits.blobWindowBytesMax)
        window = min(
            window + (window < steep ? growth : growth * Self.slice / window), Limits.blobWindowBytesMax)
        if reading.isIdle { return .goes }
        let onTheWay = reading.unsentBytes + reading.unacknowledgedBytes
        let isRoomy = reading.unsentBytes < Limits.blobUnsentBytes && onTheWay + Self.slice <= window
        return isRoomy ? .goes : .waits
    }
}
