import TourBlob
import TourGossip
import TourModel

/// The casts of one tour on one segment.
package final class CastSegment {
    var sender = CastSender()
    var receiver = CastReceiver()
    /// The revision of keys and casters that the receiver listens with.
    private var revision: Int?
    private var casters: Set<MemberID> = []
    /// Casts that we follow, and when the swarm was last notified of each.
    var followed: [BlobID: Instant] = [:]
    /// Our own casts, waiting ones included.
    var sending: Set<BlobID> = []
    /// When the socket last accepted a datagram, or the first of our casts began.
    var sentAt = Instant(microseconds: 0)
    private var timer: (deadline: Instant, timer: FilesTimer)?

    package init() {}

    /// - Returns: whether the receiver must be given these.
    package func listens(with revision: Int, to casters: Set<MemberID>) -> Bool {
        guard self.revision != revision || self.casters != casters else { return false }
        self.revision = revision
        self.casters = casters
        return true
    }

    var nextDeadline: Instant? { [sender.nextDeadline, receiver.nextDeadline].compactMap { $0 }.min() }
    /// When the timer fires.
    var timerDeadline: Instant? { timer?.deadline }

    func setTimer(_ deadline: Instant, _ timer: FilesTimer) {
        endTimer()
        self.timer = (deadline, timer)
    }

    func endTimer() {
        timer?.timer.cancel()
        timer = nil
    }
}

/// When each file was last considered for a cast.
package final class ConsideredCasts {
    private var times: [BlobID: Instant] = [:]

    /// How long a file is not considered again.
    private static let pause: Duration = .seconds(30)

    package init() {}

    /// - Returns: false if it was considered a short while ago.
    package func consider(_ id: BlobID, at now: Instant) -> Bool {
        times = times.filter { now - $0.value < Self.pause }
        guard times[id] == nil else { return false }
        times[id] = now
        return true
    }
}
