import TourModel
import TourWire

/// What the replication knows of one open link.
struct GossipLink: Hashable, Sendable {
    let member: MemberID
    /// Datagrams to the peer.
    var path = LinkPath()
    /// What the peer has, as far as it said or we pushed.
    var peerHas = Frontier()
    /// Pushed behind what went by datagram: the peer has it if it heard that. No word of the peer, so that it is told
    /// all the same.
    var likely: [MemberID: UInt64] = [:]
    /// Authors of whom it was told, and that was lost: the next `Have` says it again.
    var untold: Set<MemberID> = []
    /// It heard datagrams when changes were told, so it is told late, whether or not it hears them still.
    var isToldLate = false
    /// Heads of authors whom our roster does not know yet, by prefix.
    var unknownHeads: [UInt64: UInt64] = [:]
    /// Whether a `Have` came. A peer whose roster does not name us yet drops what we send, so nothing is pushed before.
    var hasSpoken = false
    /// When control events are compared (again) because of `unknownHeads`, and how long after that once more.
    var compareDue: Instant?
    var comparePause = Limits.comparePauseMin
    var comparedAt: Instant?
    /// Members whose newest claim is to be passed on here, older claims that are, and when.
    var claims: Set<MemberID> = []
    var olderClaims: Set<ClaimKey> = []
    var claimsDue: Instant?
    /// Members whose position is to be told here, each when; and the first of these times.
    var positions: [MemberID: Instant] = [:]
    var positionsDue: Instant?
    var positionBudget = PositionBudget()
    /// Whether we push to the peer. A duplicate prunes, a graft restores.
    var isEager = true
    /// Whether the peer pushes to us, as far as we know.
    var peerIsEager = true
    /// The newest of the peer's datagrams that changed the tree.
    var treeNumber: UInt64 = 0
    /// When the peer was last told all that is here, as a link that joins the tree.
    var toldAllAt: Instant?
    /// When the peer was last told not to push.
    var prunedAt: Instant?
    /// The peer reads slower than we write: it gets frontiers and pulls what it lacks.
    var isLagging = false
    /// What was sent or came ahead of its log here.
    var urgent = LastSeen<EventPlace>(limit: Limits.urgentOfLinkMax)
    /// How many urgent events went out since the link lags.
    var urgentWhileLagging = 0
    /// Pulls of the peer that wait to be served.
    var serving: [Serving] = []
    /// The pull of ours that is open on this link.
    var asked: Asked?
    /// Authors of whom the peer had nothing for us after all, and when it may be asked for them again.
    var refusals: [MemberID: Refusal] = [:]
    /// Pulls of ours on this link that brought nothing, since the last that did.
    var failures = 0
    /// Runs whose signature did not verify.
    var badRuns = 0
    /// Authors of whom the peer sent a run that does not verify: the author's rubbish or the peer's, it is not read
    /// here.
    var badAuthors: Set<MemberID> = []
    /// Kept rows that the peer is still to get, the last first: all at once would fill the link.
    var owedClaims: [ClaimKey] = []
    /// When the peer was last owed all of them.
    var owedAt: Instant?

    /// Events of an author were pushed that continue what the peer has, this one the last. An urgent one overtakes what
    /// is queued, and a peer with no room ahead of the log drops it: a `Have` follows to make sure.
    mutating func sent(through last: Event) {
        let header = last.header
        if header.eventClass.goesAhead { urgent.insert(EventPlace(last)) }
        peerHas.raise(header.author, to: header.eventClass.goesAhead ? header.sequence - 1 : header.sequence)
    }

    /// How far the peer is with an author once everything that was sent is there.
    func reach(_ author: MemberID) -> UInt64 {
        var last = peerHas[author]
        // Whoever lies may say that it has all there can be: there is no place 0 behind that.
        while urgent.contains(EventPlace(author: author, sequence: last &+ 1)) { last += 1 }
        return last
    }

    /// When it has something to do. Changes nothing: mutating, so that it is not copied for this.
    mutating func tell(_ deadline: inout Deadline) {
        deadline.consider(asked?.due)
        deadline.consider(compareDue)
        deadline.consider(claimsDue)
        deadline.consider(positionsDue)
        deadline.consider(path.nextDeadline)
    }

    /// Links are authenticated, so no noise makes a bad run: whoever sends many forges, and is not listened to.
    var isDistrusted: Bool { badRuns >= Limits.badRunsMax }

    struct Asked: Hashable, Sendable {
        let id: UInt32
        /// When the pull is given up, whatever has come.
        let deadline: Instant
        /// When it is given up unless something comes.
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
        /// In a row.
        var count: Int
    }

    /// Puts off the next pull of this author here: longer each time, at least for `least`.
    mutating func refuse(_ author: MemberID, _ now: Instant, least: Duration = .zero) {
        let count = refusals[author]?.count ?? 0
        let pause = max(least, min(Limits.refusalMax, Limits.refusalMin * (1 << min(count, 16))))
        let until = max(refusals[author]?.until ?? now, now + pause)
        refusals[author] = Refusal(until: until, count: min(count + 1, 16))
    }

    struct Serving: Hashable, Sendable {
        var id: UInt32
        var ranges: [Want.Range]
        /// Bytes that may still go out for this pull.
        var budget: Int
        /// The store is reading for it.
        var isLoading = false
    }
}
