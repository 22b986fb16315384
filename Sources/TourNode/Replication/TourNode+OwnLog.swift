import Logging
import TourAPI
import TourGossip
import TourModel
import TourStore
import TourTransport
import TourWire

// A store that may be older than the logs that were written from it. Source: `Protocol/06-replication.md`, "One's own
// log".
extension TourNode {
    /// The machine decided whether we may write: stores that before anything else happens.
    func ownLogChanged(_ state: OwnLogState, _ session: TourSession) {
        do {
            try MembershipRecords(store: store, member: session.own).keep(ownLog: state)
        } catch {
            count(error)
        }
        switch state {
        case .ready:
            logger.notice("our log is whole again: messages can be written")
            announceName(in: session)
        case .forked, .retired:
            if state == .forked { logger.error("another device writes with our key: we stop, join again with a code") }
            advertise()
        case .restored, .copied: break
        }
    }

    /// The user's choice to end the waiting.
    package enum Recovery: String, Decodable, Sendable {
        /// The user asserts that nothing was written since the copy was made.
        case nothingSince = "nothing-since"
        /// The user gives up the key, and joins again.
        case newKey = "new-key"
    }

    /// Ends the waiting for our log in a tour, as the user chose.
    package func recoverTour(_ tour: String?, by way: Recovery) throws -> TourSummary {
        let session = try session(tour)
        let wanted: OwnLogState = way == .newKey ? .retired : .ready
        guard session.gossip.ownLogState.isRecovering || wanted == .retired && session.gossip.ownLogState != .ready
        else { throw NodeError.keeping(.notRecovering(session.record.name)) }
        feed(session, .settleOwnLog(wanted))
        if wanted == .ready, session.gossip.ownLogState != .ready { throw session.silence }
        return try self.tour(session.tour.hex)
    }
}

extension TourSession {
    /// Why nothing can be written although the tour goes on.
    var silence: NodeError {
        switch gossip.ownLogState {
        case .forked: .forked(record.name)
        case .retired: .retired(record.name)
        case .ready, .restored, .copied:
            .recovering(
                record.name, heard: gossip.ownLogWitnesses.heard, needed: gossip.ownLogWitnesses.needed)
        }
    }
}

extension Status.Recovering {
    /// - Returns: nil unless the log is recovering.
    init?(_ gossip: GossipMachine) {
        guard gossip.ownLog.state.isRecovering else { return nil }
        let witnesses = gossip.ownLogWitnesses
        self.init(heard: witnesses.heard, needed: witnesses.needed)
    }
}

extension OwnLogState {
    /// As commands and JSON spell it.
    var word: String {
        switch self {
        case .ready: "ready"
        case .restored, .copied: "recovering"
        case .forked: "forked"
        case .retired: "retired"
        }
    }
}
