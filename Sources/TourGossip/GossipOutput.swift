import TourCrypto
import TourModel
import TourWire

/// An action that the machine asks the shell to carry out.
package enum GossipOutput: Sendable {
    /// Send a message on a link.
    case send(LinkID, LinkMessage)
    /// Send a datagram on a segment.
    case multicast(SegmentID, Datagram)
    /// Send a datagram to a link's peer.
    case unicast(LinkID, PathDatagram)
    /// Verify a run; answered by `verified`, `refused` or `skipped`.
    case verify(Origin, Run)
    /// Store exactly the events that continue those of the last `store`.
    case store(VerifiedRun)
    /// Keep and show an event before which others of its author are missing. When the log reaches the event, and
    /// the event continues it, the event is part of the log without a further output.
    case storeAhead(VerifiedRun)
    /// Read events of a range for a peer's pull; answered by `loaded`.
    case load(LinkID, id: UInt32, Want.Range, bytesMax: Int)
    /// Read the newest urgent events in these ranges, those ahead of their logs included.
    case loadUrgent(LinkID, [Want.Range])
    /// Verify the signatures of claims; answered by `claims` and `forgedClaims`.
    case verifyClaims(Origin, [HeardClaim])
    /// Sign this node's next claim; answered by `claim`.
    case signClaim([KnownHead], whole: WholeFrontier?, readThrough: LogicalClock?, isAsleep: Bool)
    /// Others know a row of ours with this counter: our next counter must exceed it.
    case ownCounter(UInt64)
    /// A claim that is news, where it came from, and whether it is the member's newest: only the newest is a sign
    /// of life.
    case claimed(VerifiedClaim, Origin, isNewest: Bool)
    /// A member has these events of logs as they are stored here: its claims name the same events, or hash them.
    case covered(MemberID, [PrefixedHead])
    /// Verify position rows; answered by `positions`.
    case verifyPositions(Origin, [HeardPosition])
    /// A position row is news, our own included.
    case positioned(VerifiedPosition)
    /// Compare control events on this link: its peer named an author that our roster does not know.
    case compareControls(LinkID)
    /// A sound run of a log that seems to fork: where it differs from the stored log, it is the proof.
    case compare(VerifiedRun)
    /// The right of this node to write has changed: keep the new state before anything is written.
    case ownLog(OwnLogState)
    /// The peer sent something that it should not have sent.
    case fault(Origin, GossipFault)
}

/// A peer's record that the replication rejects. Scope: the record.
package enum GossipFault: String, Fault {
    /// A message of another layer, or one that only opens a link.
    case unexpectedMessage = "unexpected-message"
    /// A run whose signature does not verify.
    case badRun = "bad-run"
    /// A sound run that does not continue the log held here: the author wrote a sequence twice.
    case forkedLog = "forked-log"
    /// More pulls at once than `GossipLink.servingMax`.
    case tooManyPulls = "too-many-pulls"
    /// A sound run that goes beyond its author's share.
    case beyondShare = "beyond-share"
    /// An event that crossed more links than `Limits.hopsMax`.
    case tooManyHops = "too-many-hops"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
