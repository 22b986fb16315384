import TourModel
import TourStore

// Who was there when, and had what since when, is kept over a restart.
extension TourNode {
    /// Between two writes: signs of life come all the time.
    static let presencePause: Duration = .seconds(60)

    /// Writes what is new, once in a while; nothing where nobody was heard.
    func keepPresence(of session: TourSession, now: Instant) {
        guard now >= session.presenceDue else { return }
        session.presenceDue = now + Self.presencePause
        writeBeside(keepPresence(of: session))
    }

    /// - Returns: the writing of what is new. If that fails it is written when it changes again.
    func keepPresence(of session: TourSession) -> @Sendable (TourStore) throws(StoreError) -> Void {
        let tour = session.tour
        let signs = session.signs.takeUnsaved(now: NodeClock.now, wall: NodeClock.wallMicroseconds)
        let receipts = session.board.takeUnkept()
        return { store throws(StoreError) in try store.keepPresence(tour, signs: signs, receipts: receipts) }
    }
}
