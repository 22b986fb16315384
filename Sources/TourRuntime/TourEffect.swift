import TourCrypto
import TourGossip
import TourModel
import TourWire

/// What a tour's machine asks the shell to do.
package enum TourEffect {
    // MARK: Links and datagrams

    /// Send a message on a link.
    case send(LinkID, LinkMessage)
    /// Send what `TourMachine.nextOwed` returns, while the link's queue has room, and go on when it has room again.
    case sendOwed(LinkID)
    /// Say goodbye on a link and close it.
    case close(LinkID, ByeReason)
    /// Read from a link, or stop reading.
    case setReading(LinkID, Bool)
    /// The roster names the peer of a link that was restricted until now: let every message pass.
    case recognise(LinkID, MemberID)
    /// Replication has begun on a link.
    case began(LinkID)
    /// Send a datagram on a segment.
    case multicast(SegmentID, Datagram)
    /// Send a datagram to a link's peer.
    case unicast(LinkID, PathDatagram)
    /// A neighbour is alive, as its row on a shared network shows.
    case livesElsewhere(LinkID, quietMax: Duration)

    // MARK: Verifying

    case verify(RunCheck)
    case verifyClaims(ClaimCheck)
    case verifyPositions(PositionCheck)
    /// Look for a second event at some places of a log.
    case compare(ForkQuestion)

    // MARK: Storing

    /// Store the events that continue those of the last `store`; answered by `TourInput.stored`.
    case store(VerifiedRun)
    /// Keep and show an event before which others of its author are missing.
    case storeAhead(VerifiedRun)
    /// The store failed: read what it holds; answered by `TourInput.reloaded`.
    case reload
    /// Read events of a range for a peer's pull; answered by `GossipMachine.Input.loaded`.
    case load(LinkID, id: UInt32, Want.Range, bytesMax: Int)
    /// Read the newest urgent events in these ranges; answered by `GossipMachine.Input.urgent`.
    case loadUrgent(LinkID, [Want.Range])
    /// Keep control events that no stored log holds yet, and remove others that nobody needs.
    case keepControls([Event], dropped: Set<EventID>)
    /// Read all control events of these authors from their logs; answered by `TourInput.controls`.
    case loadActs(of: Set<MemberID>)
    /// Keep our keys before anything depends on them.
    /// - Parameter isErasing: older keys are gone: nothing on the disk may hold them.
    case saveKeys(isErasing: Bool)
    /// Keep whether our log may be written, before anything is written.
    case saveOwnLog(OwnLogState)

    // MARK: Acts of our own

    /// Write a rekey with a fresh key; answered by `TourInput.rekeyed`.
    case rekey
    /// Publish our newest wrapping key; answered by `TourInput.publishedKey`.
    case publishWrappingKey
    /// Make a code in place of those that a removal of ours ended; answered by `TourInput.madeInvite`.
    case makeInvite
    /// Write the event that proves a fork; if that fails, `TourInput.forkNotWritten` follows.
    case writeFork(ForkProof, of: MemberID)

    // MARK: News

    /// Control events were applied: the roster may have changed.
    case rosterChanged([Event])
    /// Keys of these epochs arrived: more can be read, and perhaps be sealed.
    case keysLearnt(Set<EpochID>)
    /// A peer sent its control index: it counts us as a member, or may.
    case recognised
    /// A claim of another member is news.
    case claimed(VerifiedClaim)
    /// Statuses may have risen: call `TourMachine.refreshStatuses`.
    case refreshStatuses
    /// We signed this claim.
    case signed(VerifiedClaim)
    /// A position row is news, our own included.
    case positioned(VerifiedPosition)
    /// Another device signs with our key.
    case twin
    /// Something was not as it should be; its peer bears the cost.
    case fault(any Fault)
}
