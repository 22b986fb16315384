import TourCrypto
import TourModel
import TourWire

/// An event that the shell reports to the machine.
package enum GossipInput: Sendable {
    /// A link is open and each side is in the other's roster.
    case linkUp(LinkID, MemberID)
    /// A link has closed.
    case linkDown(LinkID)
    /// The link's queue exceeded its bound, or has drained.
    case pressure(LinkID, isLagging: Bool)
    /// A message of a link's peer.
    case message(LinkID, LinkMessage)
    /// A run that `verify` asked for is sound.
    case verified(Origin, VerifiedRun)
    /// A run that `verify` asked for is not sound.
    case refused(Origin, author: MemberID)
    /// A run that the shell cannot judge: its author is not in the roster.
    case skipped(Origin, author: MemberID)
    /// Events that this node wrote and stored.
    case wrote([Event])
    /// Events accepted earlier are stored now: for each author the last.
    case stored([MemberID: UInt64])
    /// Events of one author are in the store that `restart` did not find there: they were on their way.
    case storedSinceRestart([Event])
    /// The events that `load` asked for, in order; empty when the store has nothing there.
    case loaded(LinkID, id: UInt32, [Event])
    /// The events that `loadUrgent` asked for, the newest first.
    case urgent(LinkID, [(event: Event, hops: Int)])
    /// The sound ones of the claims that `verifyClaims` asked for.
    case claims(Origin, [VerifiedClaim])
    /// How many of those claims were not signed by the member they name.
    case forgedClaims(Origin, count: Int)
    /// This node's own claim, which `signClaim` asked for.
    case claim(VerifiedClaim)
    /// The sound ones, not yet ended, of the position rows that `verifyPositions` asked for.
    case positions(Origin, [VerifiedPosition])
    /// This node's own position row.
    case position(VerifiedPosition)
    /// The user has read up to this place in the tour's order.
    case readMoved(LogicalClock)
    /// Whether this node's device sleeps from now on: one row says so, and none follows it.
    case rest(isAsleep: Bool)
    /// The user asks to push a stored event again to neighbours that lack it.
    case resend(Event, hops: Int)
    /// The roster as it is now: the authors whose events are accepted, all whose rank lets them announce, and the
    /// last sequence of each log that ends, beyond which no event is accepted, pulled or served. `ownThrough` is
    /// the last event of the node's own log that a control event shows; `people` are the members on a person's
    /// device (nil: all whose log does not end).
    case authors(
        [MemberID], leaders: Set<MemberID>, ends: [MemberID: UInt64] = [:], ownThrough: UInt64 = 0,
        people: Set<MemberID>? = nil)
    /// The segments that this node is on now.
    case segments([SegmentID])
    /// A datagram that the epoch's key opened and that is no repeat.
    case datagram(SegmentID, Datagram)
    /// Questions about casts for everybody on the segment. Those of other members arrive in their datagrams; the
    /// shell passes them on.
    case castAsks(SegmentID, [CastAsk])
    /// The user's decision about this node's log: nothing was written since the copy was made (`ready`), or the
    /// user gives its key up (`retired`).
    case settleOwnLog(OwnLogState)
    /// Whether datagrams to this link's peer can be tried: both sides have a port for them.
    case path(LinkID, isOffered: Bool)
    /// A datagram of this link's peer, opened with the link's own key and no repeat.
    case unicast(LinkID, PathDatagram)
    /// A run that a server returned.
    case fetched(Run)
    /// The time of `nextDeadline` has come.
    case timer
}
