import TourModel

/// How many bytes of files may be on their way on one connection without making messages wait. Source:
/// `Protocol/11-blobs.md`, "Pace".
package struct BlobPace: Sendable {
    /// The queueing delay of a link's packets above which the link gets only one slice on its way.
    private static let crowdedDelay: Duration = .milliseconds(15)
    /// The bytes of a connection that the system may hold unsent before it gets another slice of a file: a message
    /// overtakes nothing there.
    package static let unsentBytes = 8 * 1024

    /// The system's measurements of a connection.
    package struct Reading: Sendable {
        /// Accepted by the system, and not sent yet.
        package var unsentBytes: Int
        /// Sent, and not acknowledged.
        package var unacknowledgedBytes: Int
        /// Acknowledged since the connection opened.
        package var acknowledgedBytes: UInt64
        /// The smoothed round trip.
        package var roundTrip: Duration
        /// The least round trip that the system remembers.
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
        /// Packets wait in a queue on the path.
        var isCrowded: Bool { roundTrip > leastRoundTrip + BlobPace.crowdedDelay }
    }

    private var window = BlobWindow()
    /// Up to here the window doubles with each round trip: half of the last size that was too much. Beyond, it grows by
    /// a slice.
    private var steep = BlobWindow.bytesMax
    private var reading: Reading?
    /// Since when packets have queued up; nil while they do not.
    private(set) var crowdedSince: Instant?

    /// The bytes given to the system or on their way, of files and all else.
    var onTheWay: Int { reading?.onTheWay ?? 0 }
    /// The bytes acknowledged since the connection opened.
    var acknowledgedBytes: UInt64 { reading?.acknowledgedBytes ?? 0 }

    /// Counts a slice given to the system as on its way before the next reading.
    mutating func send(_ bytes: Int) { reading?.unsentBytes += bytes }

    /// - Returns: the bytes acknowledged since the last reading.
    mutating func apply(_ reading: Reading, _ now: Instant) -> Int {
        let known = self.reading?.acknowledgedBytes ?? reading.acknowledgedBytes
        let news = Int(clamping: reading.acknowledgedBytes - min(reading.acknowledgedBytes, known))
        self.reading = reading
        if reading.isCrowded {
            if window.bytes > BlobWindow.slice { steep = max(window.bytes / 2, BlobWindow.slice) }
            window.bytes = BlobWindow.slice
            crowdedSince = crowdedSince ?? now
        } else {
            let growth = min(news, BlobWindow.bytesMax)
            window.bytes += window.bytes < steep ? growth : growth * BlobWindow.slice / window.bytes
            crowdedSince = nil
        }
        return news
    }

    /// Whether this connection has room for these bytes, regardless of others.
    func hasRoom(for bytes: Int) -> Bool {
        guard let reading else { return false }
        return reading.unsentBytes < Self.unsentBytes && window.hasRoom(for: bytes, beside: reading.onTheWay)
    }
}
