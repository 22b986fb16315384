import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourWire

/// What happened: a link, a message, a result of the worker threads, or the time of `TourMachine.nextDeadline`.
package enum TourInput {
    /// A link to a member is open, or to a peer that the roster does not name yet.
    case linkOpened(LinkID, LinkPeer, hasPath: Bool)
    /// A link has closed.
    case linkClosed(LinkID)
    /// A message that arrived on a link.
    case message(LinkID, LinkMessage)
    /// Control events that a server sent, followed by the runs that need them.
    case controls([[UInt8]])
    /// The result of a `RunCheck`: nil if the run is not sound.
    case checked(RunCheck, VerifiedRun?)
    /// The sound ones of the claims of a `ClaimCheck`.
    case checkedClaims(ClaimCheck, [VerifiedClaim])
    /// The sound ones of the rows of a `PositionCheck`.
    case checkedPositions(PositionCheck, [HeardPosition])
    /// A run is stored; `events` are those that were new.
    case stored(VerifiedRun, events: [Event])
    /// An event ahead of its log is stored.
    case storedAhead(VerifiedRun)
    /// A run, or an event ahead of its log, could not be stored.
    case storeFailed(VerifiedRun, isAhead: Bool)
    /// What the store holds, after it failed.
    case reloaded(StoredLogs)
    /// Our own events are stored, or could not be stored.
    case wrote(OwnEvents, isStored: Bool)
    /// The answer to a `ForkQuestion`: two different events for one place.
    case forkFound(ForkProof, of: MemberID)
    /// The event that proves this author's fork could not be written.
    case forkNotWritten(MemberID)
    /// The rekey that `TourEffect.rekey` asked for is written, or was not.
    case rekeyed(isWritten: Bool)
    /// The publishing of our wrapping key has ended.
    case publishedKey
    /// The making of a code that follows a removal has ended.
    case madeInvite
    /// Everybody whom we wanted to remove with an ended code is removed.
    case removalsEnded
    /// A server holds our log up to here.
    case heldByServer(through: UInt64)
    /// The user has read up to here; the clock falls if a message arrived late.
    case read(LogicalClock)
    /// An input for the replication alone.
    case replication(GossipMachine.Input)
    /// The time of `TourMachine.nextDeadline` has come.
    case timer
}

/// A run whose signature is to be verified: answered by `TourInput.checked`.
package struct RunCheck: Sendable {
    /// Where the run came from.
    package let origin: Origin
    /// The run as it arrived.
    package let run: Run
    /// The author's key.
    package let identity: SigningKey
    /// The tour of the run.
    package let tour: TourID
    /// Verifying the run takes less time than waking another thread and being woken by it, or the run is urgent.
    package let isPrompt: Bool
    /// What the run adds to the backlog until it is verified.
    let weight: Int

    /// Verifies the run.
    /// - Returns: nil if it is not sound.
    package func verified() -> VerifiedRun? { try? VerifiedRun(run, tour: tour, identity: identity) }
}

/// Claims whose signatures are to be verified: answered by `TourInput.checkedClaims`.
package struct ClaimCheck: Sendable {
    /// Where the claims came from.
    package let origin: Origin
    /// The claims as they arrived, each with the key of its member; nil: the roster does not name the member.
    package let claims: [(heard: HeardClaim, identity: SigningKey?)]
    /// The tour of the claims.
    package let tour: TourID
    /// Verifying them takes less time than waking another thread and being woken by it.
    package let isPrompt: Bool
    /// What they add to the backlog until they are verified.
    var weight: Int { isPrompt ? 0 : claims.count }

    /// Verifies all claims.
    /// - Returns: the sound ones.
    package func verified() -> [VerifiedClaim] {
        claims.compactMap { claim in
            Self.isSound(claim.heard, by: claim.identity, in: tour) ? claim.heard.verified : nil
        }
    }

    /// Whether the member with this key signed the claim.
    package static func isSound(_ heard: HeardClaim, by identity: SigningKey?, in tour: TourID) -> Bool {
        let digest = ClaimSigner.digest(heard.row.row, of: heard.claim.member, tour: tour)
        return identity?.verifies(heard.row.signature, of: digest) == true
    }
}

/// Position rows whose signatures are to be verified: answered by `TourInput.checkedPositions`.
package struct PositionCheck: Sendable {
    /// Where the rows came from.
    package let origin: Origin
    /// The rows as they arrived, each with the key of its member; nil: the roster does not name the member.
    package let rows: [(heard: HeardPosition, identity: SigningKey?)]
    /// The tour of the rows.
    package let tour: TourID

    /// Verifies all rows.
    /// - Returns: the sound ones.
    package func verified() -> [HeardPosition] {
        rows.filter { row in
            let digest = PositionRow.digest(row.heard.row.row, of: row.heard.claim.member, tour: tour)
            return row.identity?.verifies(row.heard.row.signature, of: digest) == true
        }
        .map(\.heard)
    }
}

/// Asks for what the store holds at some places of a log that may fork. If another event stands there, the two are a
/// proof: answered by `TourInput.forkFound`, or not at all.
package struct ForkQuestion: Sendable {
    /// Where the other events are found.
    package enum Known: Sendable {
        /// The store holds them at these places.
        case stored(ClosedRange<UInt64>)
        /// These.
        case events([Event])
    }

    /// The author of the log.
    package let author: MemberID
    /// The author's key.
    package let identity: SigningKey
    /// The tour.
    package let tour: TourID
    /// Events of one branch.
    package let events: [Event]
    /// Those of the other branch, if there is one.
    package let known: Known

    /// - Parameter known: what the store holds at the places.
    /// - Returns: nil if nothing forks there.
    package func proof(from known: [Event]) -> ForkProof? {
        ForkProof(identity: identity, tour: tour, between: known, and: events)
    }
}

/// What the store holds of each author's log.
package struct StoredLogs: Sendable {
    /// Each log's last sequence, and that event's id.
    package let heads: [MemberID: (sequence: UInt64, id: EventID)]
    /// How much of its author's share each log uses.
    package let sizes: [MemberID: LogSize]
    /// Events ahead of their authors' logs.
    package let ahead: [Event]

    package init(
        heads: [MemberID: (sequence: UInt64, id: EventID)], sizes: [MemberID: LogSize], ahead: [Event]
    ) {
        self.heads = heads
        self.sizes = sizes
        self.ahead = ahead
    }
}
