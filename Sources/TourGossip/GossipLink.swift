import TourModel
import TourWire

/// The replication's state for one open link: each subject keeps its own.
struct GossipLink: Hashable, Sendable {
    /// How long until a neighbour that keeps pushing gets another `Prune`.
    static let prunePause: Duration = .seconds(5)
    /// A pull without an answer for this long moves to another link.
    static let pullTimeout: Duration = .seconds(3)
    /// A pull that is still being served after this long is given up too: no peer can stall an author by serving drops.
    static let pullDuration: Duration = .seconds(30)
    /// How long an author is not pulled from a peer that had nothing of it: doubles from the first value to the second.
    static let refusalMin: Duration = .milliseconds(250)
    static let refusalMax: Duration = .seconds(30)
    /// How long an author is not pulled from a peer that holds another branch of its log.
    static let forkPause: Duration = .seconds(600)
    /// The number of runs with a bad signature after which this node trusts nothing more from the link.
    static let badRunsMax = 8
    /// The most older claims that wait for one link: a later long row covers the rest.
    static let olderClaimsMax = 4_096
    /// How long until control events are compared again while a link names authors that nobody explains: doubles from
    /// the first value to the second.
    static let comparePauseMin: Duration = .milliseconds(1_200)
    static let comparePauseMax: Duration = .seconds(60)
    /// The most pulls that one link may have waiting with us.
    static let servingMax = 8
    /// The most heads kept for each link of authors that the roster does not know yet.
    static let unknownHeadsMax = 256
    /// The most places remembered of events that a link received or was sent ahead of a log.
    static let urgentMax = 256

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
    var isDistrusted: Bool { badRuns >= Self.badRunsMax }

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
