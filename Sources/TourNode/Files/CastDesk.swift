import NIOCore
import TourBlob
import TourGossip
import TourModel

/// The casts of one tour on this node, by segment: those that it hears, and its own. Belongs to the node's actor.
package final class CastDesk {
    private(set) var segments: [SegmentID: CastSegment] = [:]
    /// Files that may be cast, while those who want them say so.
    var pending: [BlobID: Scheduled<Void>] = [:]
    /// When it was last asked whether to cast a file.
    private var considered: [BlobID: Instant] = [:]

    /// A file is not considered again so soon.
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

    /// Casts under way, heard or our own.
    var count: Int { segments.values.reduce(0) { $0 + $1.followed.count + $1.sending.count } }

    /// Until when a cast of this file is waited for; nil: none is followed.
    func castUntil(_ id: BlobID) -> Instant? { segments.values.compactMap { $0.receiver.castUntil(id) }.max() }

    func isSending(_ id: BlobID) -> Bool { segments.values.contains { $0.sending.contains(id) } }

    /// Nothing is cast or heard any more, and no key is kept.
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
    /// With what the receiver listens.
    private var revision: Int?
    private var casters: Set<MemberID> = []
    /// Casts that are heard, and when the swarm was last told of each.
    var followed: [BlobID: Instant] = [:]
    /// Our own, those that wait among them.
    var sending: Set<BlobID> = []
    /// When the socket last took something, or the first of them began.
    var sentAt = Instant(microseconds: 0)
    private(set) var timer: (deadline: Instant, task: Scheduled<Void>)?

    package init() {}

    /// - Returns: whether the receiver is to be given these.
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
