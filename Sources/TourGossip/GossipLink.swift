import TourModel
import TourWire

/// The replication's state for one open link: each subject keeps its own.
struct GossipLink: Hashable, Sendable {
    let member: MemberID
    /// Datagrams to the peer.
    var path = LinkPath()
    /// What the peer has.
    var peer = PeerLogs()
    /// Authors that the peer named and our roster does not know.
    var unknown = UnknownAuthors()
    /// Claim rows that go out here.
    var claims = ClaimQueue()
    /// Position rows that go out here.
    var positions = PositionQueue()
    /// Whether pushes go here.
    var branch = TreeBranch()
    /// What we pull here.
    var pulls = LinkPulls()
    /// What the peer pulls.
    var served = ServedPulls()
    /// Whether a `Have` arrived. A peer whose roster does not name us yet drops what we send, so nothing is pushed
    /// before.
    private(set) var hasSpoken = false
    /// The peer reads more slowly than we write: it gets frontiers and pulls what it lacks.
    private(set) var isLagging = false
    /// Runs whose signature did not verify.
    private var badRuns = 0

    init(member: MemberID) { self.member = member }

    /// Links are authenticated, so noise never makes a bad run: a peer that sends many forges them and is ignored.
    var isDistrusted: Bool { badRuns >= Limits.badRunsMax }

    mutating func recordBadRuns(_ count: Int = 1) { badRuns += count }

    mutating func recordSpoken() { hasSpoken = true }

    mutating func set(isLagging: Bool) {
        self.isLagging = isLagging
        peer.resetLagging()
    }

    /// Adds the times at which the link is due. Changes nothing: it is mutating only to avoid a copy.
    mutating func addDueTimes(to deadline: inout Deadline) {
        deadline.consider(pulls.asked?.due)
        deadline.consider(unknown.compareDue)
        deadline.consider(claims.due)
        deadline.consider(positions.due)
        deadline.consider(path.nextDeadline)
    }
}
