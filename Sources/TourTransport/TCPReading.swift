import NIOCore
import TourLink
import TourModel

/// Linux's data of a TCP connection: the beginning of `tcp_info`. An older kernel leaves zeros at the end.
struct TCPReading: Sendable {
    private var flags: UInt64 = 0
    private var timeouts: (retransmission: UInt32, acknowledgement: UInt32) = (0, 0)
    private var segmentBytes: (sent: UInt32, received: UInt32) = (0, 0)
    private var segments: (unacknowledged: UInt32, selected: UInt32, lost: UInt32, retransmitted: UInt32) = (0, 0, 0, 0)
    private var forwarded: UInt32 = 0
    private var times: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    private var pathBytes: (UInt32, UInt32) = (0, 0)
    /// In microseconds.
    private var roundTrip: (smoothed: UInt32, variation: UInt32) = (0, 0)
    private var windows: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    private var receiving: (UInt32, UInt32) = (0, 0)
    private var retransmissions: UInt32 = 0
    private var rates: (pacing: UInt64, most: UInt64) = (0, 0)
    private var bytes: (acknowledged: UInt64, received: UInt64) = (0, 0)
    private var segmentCounts: (UInt32, UInt32) = (0, 0)
    private var unsentBytes: UInt32 = 0
    private var leastRoundTrip: UInt32 = 0

    /// TCP_INFO of Linux.
    private static let option = NIOBSDSocket.Option(rawValue: 11)

    /// Reads a connection; call it on the channel's loop.
    /// - Returns: nil for a channel that is no socket, or is closed.
    static func of(_ channel: any Channel) -> BlobPace.Reading? {
        guard let provider = channel as? any SocketOptionProvider else { return nil }
        let future: EventLoopFuture<TCPReading> = provider.unsafeGetSocketOption(level: .tcp, name: option)
        var found: TCPReading?
        // On the loop the answer is available at once.
        future.assumeIsolated().whenSuccess { found = $0 }
        return found?.reading
    }

    private var reading: BlobPace.Reading {
        BlobPace.Reading(
            unsentBytes: Int(unsentBytes), unacknowledgedBytes: Int(segments.unacknowledged) * Int(segmentBytes.sent),
            acknowledgedBytes: bytes.acknowledged, roundTrip: .microseconds(roundTrip.smoothed),
            leastRoundTrip: .microseconds(leastRoundTrip))
    }
}
