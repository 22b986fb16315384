import TourModel
import TourRuntime
import TourStore

// Persists each member's last sign of life and receipts over a restart.
extension TourNode {
    /// The time between two writes: signs of life arrive all the time.
    static let presencePause: Duration = .seconds(60)

    /// Writes the changes, from time to time; nothing if no member gave a sign of life.
    func keepPresence(of session: TourSession, now: Instant) {
        guard now >= session.presenceDue else { return }
        session.presenceDue = now + Self.presencePause
        writeBeside(keepPresence(of: session))
    }

    /// - Returns: the job that writes the changes. If it fails, the next change is written with them.
    func keepPresence(of session: TourSession) -> @Sendable (TourStore) throws(StoreError) -> Void {
        let tour = session.tour
        let signs = session.machine.presence.drainUnsaved(at: NodeClock.reading)
        let receipts = session.machine.receipts.drainUnsaved()
        return { store throws(StoreError) in try store.keepPresence(tour, signs: signs, receipts: receipts) }
    }
}
