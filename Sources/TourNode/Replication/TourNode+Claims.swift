import Logging
import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Members' signed claims, and the statuses that follow from them.
extension TourNode {
    /// Another device with our key is online.
    func notifyOfTwin(in session: TourSession) {
        moments?.yield(.twin(session.record.name))
    }

    /// Raises the marks that a batch of arrivals raises, before followers get the batch.
    func refreshStatuses(of session: TourSession, batch: [ArrivedEvent]) {
        var (firsts, heads) = ([MemberID: UInt64](), [MemberID: UInt64]())
        for event in batch.lazy.map(\.stored.event.header) {
            if firsts[event.author] == nil { firsts[event.author] = event.sequence }
            heads[event.author] = event.sequence
        }
        for change in changes(of: session, authors: heads) {
            // Followers have not received the batch itself yet.
            let seen = min(change.range.upperBound, (firsts[change.mark.author] ?? 1) - 1)
            guard change.range.lowerBound <= seen else { continue }
            notifyOfStatus(change.mark.author, change.range.lowerBound...seen, session)
        }
    }

    func refreshStatuses(of session: TourSession) {
        for change in changes(of: session) { notifyOfStatus(change.mark.author, change.range, session) }
    }

    /// Raises the marks of these authors, here and in the store.
    private func changes(
        of session: TourSession, authors: [MemberID: UInt64]? = nil
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        let store = store
        let tour = session.tour
        let changes = session.machine.refreshStatuses(of: authors) { author, above, clock in
            do {
                return try store.firstSequence(tour, author: author, above: above, clockAtLeast: clock)
            } catch {
                // If the look-up fails, the event counts as needed and as unread, so that no status is too high.
                return above + 1
            }
        }
        guard !changes.isEmpty else { return [] }
        let marks = changes.map(\.mark)
        // A mark that could not be stored is computed again after a restart.
        writeBeside { store throws(StoreError) in try store.raiseWatermarks(tour, marks) }
        return changes
    }

    /// Stores claims over a restart, so that "delivered" does not depend on hearing from every member again.
    func saveClaims(of session: TourSession) {
        let (now, wall) = (NodeClock.now, NodeClock.wallMicroseconds)
        let rows = session.unsavedClaims.flatMap { member in
            // A member's last sign of life is at least as new as its newest claim.
            session.gossip.claims(of: member).map {
                FrontierRecord(
                    member: member, counter: $0.claim.counter, bytes: $0.row.row, signature: $0.row.signature,
                    receivedAt: session.machine.presence.signs.seenAt(member, now: now, wall: wall) ?? wall)
            }
        }
        session.unsavedClaims = []
        guard !rows.isEmpty else { return }
        do { try store.saveFrontierRows(session.tour, rows) } catch { count(error) }
    }
}
