import TourModel

/// How much of files is on its way on one connection: as much as does not make messages wait. Source:
/// `Protocol/11-blobs.md`, "Pace".
package struct BlobPace: Sendable {
    /// What the system says of a connection.
    package struct Reading: Sendable {
        /// Taken by the system, and not sent so far.
        package var unsentBytes: Int
        /// Sent, and not acknowledged.
        package var unacknowledgedBytes: Int
        /// Acknowledged since the connection began.
        package var acknowledgedBytes: UInt64
        /// Smoothed; and the least that the system remembers.
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

        var onTheWay: Int { unsentBytes + unacknowledgedBytes }
        /// Packets wait in a queue on the way.
        var isCrowded: Bool { roundTrip > leastRoundTrip + Limits.blobCrowdedDelay }
    }

    private var window = BlobWindow()
    /// Up to here the window doubles with each round trip: half of what was too much. Beyond it grows by a slice.
    private var steep = Limits.blobWindowBytesMax
    private var reading: Reading?
    /// Since when packets queue up; nil while they do not.
    private(set) var crowdedSince: Instant?

    /// Given to the system or on its way, files and all else.
    var onTheWay: Int { reading?.onTheWay ?? 0 }
    /// Since the connection began.
    var acknowledgedBytes: UInt64 { reading?.acknowledgedBytes ?? 0 }

    /// A slice goes to the system: it is on its way, whether or not the system is asked again.
    mutating func send(_ bytes: Int) { reading?.unsentBytes += bytes }

    /// - Returns: the bytes that were acknowledged since the last time.
    mutating func note(_ reading: Reading, _ now: Instant) -> Int {
        let known = self.reading?.acknowledgedBytes ?? reading.acknowledgedBytes
        let news = Int(clamping: reading.acknowledgedBytes - min(reading.acknowledgedBytes, known))
        self.reading = reading
        if reading.isCrowded {
            if window.bytes > BlobWindow.slice { steep = max(window.bytes / 2, BlobWindow.slice) }
            window.bytes = BlobWindow.slice
            crowdedSince = crowdedSince ?? now
        } else {
            let growth = min(news, Limits.blobWindowBytesMax)
            window.bytes += window.bytes < steep ? growth : growth * BlobWindow.slice / window.bytes
            crowdedSince = nil
        }
        return news
    }

    /// Whether this connection takes so much, whatever others do.
    func hasRoom(for bytes: Int) -> Bool {
        guard let reading else { return false }
        return reading.unsentBytes < Limits.blobUnsentBytes && window.takes(bytes, beside: reading.onTheWay)
    }
}
