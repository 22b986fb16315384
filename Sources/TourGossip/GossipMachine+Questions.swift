import TourCrypto
import TourModel
import TourWire

// What the shell asks the machine.
extension GossipMachine {
    /// The stored frontier: what this node claims to have.
    package var stored: Frontier { logs.stored }

    /// The open links, and the member at the other end of each.
    package var neighbours: [LinkID: MemberID] { links.members }

    /// The member with this prefix, if there is exactly one.
    package func member(prefix: UInt64) -> MemberID? { authors[prefix] }

    /// The member that decides which links are redundant: the first by id of those present.
    package var root: MemberID { tree.root }

    /// The size of an author's accepted log, events on their way to the store included.
    package func logSize(of author: MemberID) -> LogSize { logs.size(of: author) }

    /// The last event of an author that counts.
    package func logEnd(of author: MemberID) -> UInt64 { logs.end(of: author) }

    /// Whether the author's share is used up, so that its log accepts no more chat.
    package func isFull(_ author: MemberID) -> Bool { logs.isFull(author) }

    /// Whether a run may be accepted ahead of its author's log: a lone event of class 1 whose author may announce, or
    /// one of the few calls for help that another member may send so.
    package func mayGoAhead(_ run: Run, _ now: Instant) -> Bool { run.goesAhead && urgent.mayGoAhead(run.author, now) }

    /// The claims that a member has made of itself, in as few rows as state them, the newest first.
    package func claims(of member: MemberID) -> [VerifiedClaim] { claims.claims[member]?.rows ?? [] }

    /// The positions that members share now, and when each row arrived; ended ones are left out.
    package func sharedPositions(_ now: Instant) -> [(claim: PositionClaim, takenAt: Instant)] {
        positions.shared(logs, now)
    }

    // MARK: - What is missing

    /// Whether a neighbour is known to have more of an author's log than is stored here.
    package func lacks(_ author: MemberID) -> Bool {
        min(links.reach(author), logs.end(of: author)) > logs.stored[author]
    }

    /// Whether a neighbour has all of an author's log that is stored here, as far as it stated or we sent it.
    package func hasAll(of author: MemberID, _ link: LinkID) -> Bool {
        links[link].map { $0.peer.has[author] >= logs.stored[author] } ?? false
    }

    /// For each author the number of events that others claim to have and that are not stored here: neighbours by their
    /// frontiers, all members by their claims. A member can claim more than exists.
    package var missing: [MemberID: UInt64] {
        var missing = [MemberID: UInt64]()
        for author in authors.byPrefix.values {
            let last = min(max(links.reach(author), claims.highest[author.prefix] ?? 0), logs.end(of: author))
            if last > logs.stored[author] { missing[author] = last - logs.stored[author] }
        }
        return missing
    }

    // MARK: - The own log

    /// Whether events may be written; the shell checks it before it writes, and keeps each state that `.ownLog`
    /// reports.
    package var ownLogState: OwnLogState { ownLog.state }

    /// The linked members that have sent their frontier, each once. A member with two links, or one whose runs do not
    /// verify, is no second witness.
    package var ownLogWitnesses: OwnLogWitnesses {
        OwnLogWitnesses(of: own, authors.people, links)
    }

    // MARK: - Datagrams

    /// Whether datagrams reach the peer of a link; nil when replication has not begun there.
    package func pathQuality(of link: LinkID) -> PathQuality? { links[link]?.path.quality }

    /// How long a member heard on a segment may be silent before this node asks for a sign of life on its link.
    package func quietMax(on id: SegmentID) -> Duration { multicast.quietMax(on: id) }

    /// The members heard on a segment; `.none` if this node is not on it.
    package func listeners(on id: SegmentID, now: Instant) -> Listeners { multicast.listeners(on: id, now: now) }

    // MARK: - Size

    /// How much the machine holds now.
    package var size: GossipSize { GossipSize(of: self) }

    /// The links on which live events go out, for tests of the tree.
    package var eagerLinks: [LinkID] { links.ids.filter { links[$0]?.branch.isEager == true } }
}
