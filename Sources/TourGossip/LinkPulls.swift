import TourModel

/// What we pull on one link, and how well that goes.
struct LinkPulls: Hashable, Sendable {
    /// Our pull that is open.
    private(set) var asked: Asked?
    /// Authors of whom the peer turned out to have nothing for us, and when it may be asked for them again.
    private(set) var refusals: [MemberID: Refusal] = [:]
    /// Our pulls that brought nothing, since the last that did.
    private(set) var failures = 0
    /// Authors of whom the peer sent a run that does not verify: whether the author or the peer made it, this node
    /// reads no more of that author here.
    private(set) var badAuthors: Set<MemberID> = []
    /// Authors of whom the peer holds another event than this node, as its tags say, and when it was asked for it.
    private var doubts: [MemberID: Doubt] = [:]

    struct Asked: Hashable, Sendable {
        let id: UInt32
        /// When the pull is given up, whatever has arrived.
        let deadline: Instant
        /// When the pull is given up unless something arrives.
        var due: Instant
    }

    private struct Doubt: Hashable, Sendable {
        /// The place at which the events differ.
        let sequence: UInt64
        let askedAt: Instant
        /// Whether the answer may still come.
        var isOpen = true
    }

    struct Refusal: Hashable, Sendable {
        var until: Instant
        /// The refusals in a row.
        var count: Int
    }

    mutating func begin(_ id: UInt32, _ now: Instant) {
        asked = Asked(id: id, deadline: now + GossipLink.pullDuration, due: now + GossipLink.pullTimeout)
    }

    /// Something of the answer arrived.
    mutating func recordProgress(_ now: Instant) {
        if let deadline = asked?.deadline { asked?.due = min(deadline, now + GossipLink.pullTimeout) }
    }

    mutating func end() { asked = nil }

    mutating func recordFailure() { failures += 1 }

    mutating func recordSuccess(of author: MemberID) {
        failures = 0
        refusals[author] = nil
    }

    /// A run of this author did not verify.
    mutating func recordBadRun(of author: MemberID, _ now: Instant) {
        failures += 1
        badAuthors.insert(author)
        refuse(author, now)
    }

    // MARK: - Other events than ours

    /// How many authors' logs were asked for because of a tag.
    var doubtsCount: Int { doubts.count }

    /// - Returns: whether to ask for the log: once in a while for an author.
    mutating func doubt(_ author: MemberID, at sequence: UInt64, _ now: Instant) -> Bool {
        guard doubts[author].map({ now - $0.askedAt >= GossipLink.forkPause }) ?? true else { return false }
        doubts[author] = Doubt(sequence: sequence, askedAt: now)
        return true
    }

    /// Whether the peer was asked for the other events of this author, and has not sent ours instead.
    func isDoubted(_ author: MemberID) -> Bool { doubts[author]?.isOpen ?? false }

    /// The peer holds our events of this author at these places.
    /// - Returns: whether it had named another one there.
    mutating func refute(_ author: MemberID, in places: ClosedRange<UInt64>) -> Bool {
        guard let doubt = doubts[author], doubt.isOpen, places.contains(doubt.sequence) else { return false }
        doubts[author]?.isOpen = false
        return true
    }

    /// Puts off the next pull of this author here: longer each time, and at least for `least`.
    mutating func refuse(_ author: MemberID, _ now: Instant, least: Duration = .zero) {
        let count = refusals[author]?.count ?? 0
        let pause = max(least, min(GossipLink.refusalMax, GossipLink.refusalMin * (1 << min(count, 16))))
        let until = max(refusals[author]?.until ?? now, now + pause)
        refusals[author] = Refusal(until: until, count: min(count + 1, 16))
    }
}
