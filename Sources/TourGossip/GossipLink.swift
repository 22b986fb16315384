import TourModel
import TourWire

/// The replication's state for one open link.
struct GossipLink: Hashable, Sendable {
    let member: MemberID
    /// Datagrams to the peer.
    var path = LinkPath()
    /// What the peer has, as far as it stated or we pushed.
    var peerHas = Frontier()
    /// Events pushed to continue a datagram: the peer has them if it received that datagram. The peer has not confirmed
    /// them, so a `Have` names them all the same.
    var presumedHeads: [MemberID: UInt64] = [:]
    /// Authors named in a `Have` that was lost: the next `Have` names them again.
    var unsentHeads: Set<MemberID> = []
    /// The peer heard datagrams when changes were announced, so it gets a late `Have`, whether or not it still hears
    /// them.
    var isToldLate = false
    /// Heads of authors that our roster does not know yet, by prefix.
    var unknownHeads: [UInt64: UInt64] = [:]
    /// Whether a `Have` arrived. A peer whose roster does not name us yet drops what we send, so nothing is pushed
    /// before.
    var hasSpoken = false
    /// When control events are compared because of `unknownHeads`, and the pause before the next comparison.
    var compareDue: Instant?
    var comparePause = Limits.comparePauseMin
    var comparedAt: Instant?
    /// Members whose newest claim goes out here next, older claims that do, and when.
    var claims: Set<MemberID> = []
    var olderClaims: Set<ClaimKey> = []
    var claimsDue: Instant?
    /// Members whose position goes out here, each with its time; and the earliest of these times.
    var positions: [MemberID: Instant] = [:]
    var positionsDue: Instant?
    var positionBudget = PositionBudget()
    /// Whether we push to the peer. A duplicate prunes, a graft restores.
    var isEager = true
    /// Whether the peer pushes to us, as far as we know.
    var peerIsEager = true
    /// The number of the newest of the peer's datagrams that changed the tree.
    var treeNumber: UInt64 = 0
    /// When the peer last got the whole frontier, as a link that joins the tree.
    var toldAllAt: Instant?
    /// When the peer last got a `Prune`.
    var prunedAt: Instant?
    /// The peer reads more slowly than we write: it gets frontiers and pulls what it lacks.
    var isLagging = false
    /// The places of urgent events sent or received here ahead of their log.
    var urgent = LastSeen<EventPlace>(limit: Limits.urgentOfLinkMax)
    /// How many urgent events went out since the link began to lag.
    var urgentWhileLagging = 0
    /// Pulls of the peer that wait to be served.
    var serving: [Serving] = []
    /// Our pull that is open on this link.
    var asked: Asked?
    /// Authors of whom the peer turned out to have nothing for us, and when it may be asked for them again.
    var refusals: [MemberID: Refusal] = [:]
    /// Our pulls on this link that brought nothing, since the last that did.
    var failures = 0
    /// Runs whose signature did not verify.
    var badRuns = 0
    /// Authors of whom the peer sent a run that does not verify: whether the author or the peer made it, this node
    /// reads no more of that author here.
    var badAuthors: Set<MemberID> = []
    /// Kept rows that the peer has yet to get, the last first: all at once would fill the link.
    var owedClaims: [ClaimKey] = []
    /// When all rows were last queued for the peer.
    var owedAt: Instant?

    /// Records that events of an author, `last` the newest, were pushed behind what the peer has. An urgent event
    /// overtakes queued ones, and a peer without room ahead of the log drops it: a `Have` follows to make sure.
    mutating func sent(through last: Event) {
        let header = last.header
        if header.eventClass.goesAhead { urgent.insert(EventPlace(last)) }
        peerHas.raise(header.author, to: header.eventClass.goesAhead ? header.sequence - 1 : header.sequence)
    }

    /// The peer's head of an author's log once everything sent has arrived.
    func reach(_ author: MemberID) -> UInt64 {
        var last = peerHas[author]
        // A lying peer may claim the highest sequence there is: the next place wraps to 0, which is never urgent.
        while urgent.contains(EventPlace(author: author, sequence: last &+ 1)) { last += 1 }
        return last
    }

    /// Adds the times at which the link is due. Changes nothing: it is mutating only to avoid a copy.
    mutating func addDueTimes(to deadline: inout Deadline) {
        deadline.consider(asked?.due)
        deadline.consider(compareDue)
        deadline.consider(claimsDue)
        deadline.consider(positionsDue)
        deadline.consider(path.nextDeadline)
    }

    /// Links are authenticated, so noise never makes a bad run: a peer that sends many forges them and is ignored.
    var isDistrusted: Bool { badRuns >= Limits.badRunsMax }

    struct Asked: Hashable, Sendable {
        let id: UInt32
        /// When the pull is given up, whatever has arrived.
        let deadline: Instant
        /// When the pull is given up unless something arrives.
        var due: Instant

        init(id: UInt32, now: Instant) {
            self.id = id
            deadline = now + Limits.pullDuration
            due = now + Limits.pullTimeout
        }

        mutating func progressed(_ now: Instant) { due = min(deadline, now + Limits.pullTimeout) }
    }

    struct Refusal: Hashable, Sendable {
        var until: Instant
        /// The refusals in a row.
        var count: Int
    }

    /// Puts off the next pull of this author here: longer each time, and at least for `least`.
    mutating func refuse(_ author: MemberID, _ now: Instant, least: Duration = .zero) {
        let count = refusals[author]?.count ?? 0
        let pause = max(least, min(Limits.refusalMax, Limits.refusalMin * (1 << min(count, 16))))
        let until = max(refusals[author]?.until ?? now, now + pause)
        refusals[author] = Refusal(until: until, count: min(count + 1, 16))
    }

    struct Serving: Hashable, Sendable {
        var id: UInt32
        var ranges: [Want.Range]
        /// The bytes that may still go out for this pull.
        var budget: Int
        /// Whether the store is reading for this pull.
        var isLoading = false
    }
}
