import NIOCore
import TourBlob
import TourGossip
import TourModel

/// The casts of one tour on this node, by segment: those that it receives, and its own. Belongs to the node's actor.
package final class CastState {
    private(set) var segments: [SegmentID: CastSegment] = [:]
    /// Files that we may cast, and the timer that decides once the members who want them have had time to say so.
    var pending: [BlobID: Scheduled<Void>] = [:]
    /// When we last considered casting a file.
    private var considered: [BlobID: Instant] = [:]

    /// How long a file is not considered again.
    private static let pause: Duration = .seconds(30)

    package init() {}

    /// - Returns: false if it was considered a short while ago.
    package func consider(_ id: BlobID, at now: Instant) -> Bool {
        considered = considered.filter { now - $0.value < Self.pause }
        guard considered[id] == nil else { return false }
        considered[id] = now
        return true
    }

    func add(_ id: SegmentID) { segments[id] = CastSegment() }

    func remove(_ id: SegmentID) -> CastSegment? {
        segments[id]?.endTimer()
        return segments.removeValue(forKey: id)
    }

    /// Casts in progress, received or our own.
    var count: Int { segments.values.reduce(0) { $0 + $1.followed.count + $1.sending.count } }

    /// Until when to wait for a cast of this file; nil: we follow none.
    func castUntil(_ id: BlobID) -> Instant? { segments.values.compactMap { $0.receiver.castUntil(id) }.max() }

    func isSending(_ id: BlobID) -> Bool { segments.values.contains { $0.sending.contains(id) } }

    /// Ends all sending and receiving, and drops every key.
    func end() {
        for pending in pending.values { pending.cancel() }
        pending = [:]
        for segment in segments.values { segment.endTimer() }
        segments = [:]
    }
}

/// The casts of one tour on one segment.
package final class CastSegment {
    var sender = CastSender()
    var receiver = CastReceiver()
    /// The revision of keys and casters that the receiver listens with.
    private var revision: Int?
    private var casters: Set<MemberID> = []
    /// Casts that we follow, and when the swarm was last told of each.
    var followed: [BlobID: Instant] = [:]
    /// Our own casts, waiting ones included.
    var sending: Set<BlobID> = []
    /// When the socket last accepted a datagram, or the first of our casts began.
    var sentAt = Instant(microseconds: 0)
    private(set) var timer: (deadline: Instant, task: Scheduled<Void>)?

    package init() {}

    /// - Returns: whether the receiver must be given these.
    package func listens(with revision: Int, to casters: Set<MemberID>) -> Bool {
        guard self.revision != revision || self.casters != casters else { return false }
        self.revision = revision
        self.casters = casters
        return true
    }

    var nextDeadline: Instant? { [sender.nextDeadline, receiver.nextDeadline].compactMap { $0 }.min() }

    func setTimer(_ deadline: Instant, _ task: Scheduled<Void>) {
        endTimer()
        timer = (deadline, task)
    }

    func endTimer() {
        timer?.task.cancel()
        timer = nil
    }
}
