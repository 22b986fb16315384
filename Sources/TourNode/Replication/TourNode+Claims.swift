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
import TourWords

// Members' signed claims, and the statuses that follow from them.
extension TourNode {
    /// Another device with our key is online.
    func notifyOfTwin(in session: TourSession) {
        let phrase = Phrase(
            """
            Another device with your key in “\(session.record.name)” is online: one of the two is a copy. \
            See 'tour-chat doctor'.
            """)
        moments?.yield(NodeMoment(.twin, phrase))
    }

    func claimed(_ claim: VerifiedClaim, isNewest: Bool, _ session: TourSession) {
        session.board.record(claim.claim, at: NodeClock.wallMicroseconds, isNewest: isNewest) {
            session.gossip.knows(prefix: $0)
        }
        session.unsavedClaims.insert(claim.claim.member)
        session.isBoardStale = true
        scheduleBoard(session)
    }

    // Statuses follow claims a moment later, all together: one pass for many claims, and a pause between two passes.
    func scheduleBoard(_ session: TourSession) {
        guard !session.isBoardScheduled else { return }
        session.isBoardScheduled = true
        let tour = session.tour
        let now = NodeClock.now
        let due = max(now + boardDelay(session), session.boardPausedUntil)
        loop.scheduleTask(in: .microseconds((due - now).microseconds)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.isBoardScheduled = false
                node.refreshBoard(of: session)
            }
        }
    }

    /// The author of a message watches its status; statuses of others' messages need not rise everywhere at the same
    /// moment.
    private func boardDelay(_ session: TourSession) -> Duration {
        let isAuthorWaiting =
            session.board.marks[session.own]?.deliveredThrough ?? 0 < session.machine.durableTail.sequence
        guard !isAuthorWaiting else { return Self.boardDelayMin }
        return .microseconds(Int64.random(in: 0...Self.boardJitterMicroseconds, using: &rng)) + Self.boardDelayMin
    }

    private static let boardDelayMin: Duration = .milliseconds(50)
    private static let boardJitterMicroseconds: Int64 = 450_000
    private static let boardPause: Duration = .milliseconds(500)

    /// Raises the marks that a batch of arrivals raises, before followers get the batch.
    func refreshBoard(of session: TourSession, batch: [ArrivedEvent]) {
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

    func refreshBoard(of session: TourSession) {
        let now = NodeClock.now
        guard session.isBoardStale, session.boardPausedUntil <= now else { return }
        session.isBoardStale = false
        for change in changes(of: session, authors: session.gossip.stored.heads) {
            notifyOfStatus(change.mark.author, change.range, session)
        }
        session.boardPausedUntil = now + Self.boardPause
    }

    /// Raises the marks of these authors, here and in the store.
    private func changes(
        of session: TourSession, authors: [MemberID: UInt64]
    ) -> [(range: ClosedRange<UInt64>, mark: Watermark)] {
        let store = store
        let tour = session.tour
        let members = Dictionary(uniqueKeysWithValues: session.group.roster.people.map { ($0.id, $0.admittedAt) })
        let changes = session.board.refresh(authors: authors, members: members) { author, above, clock in
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
